import { features as everything } from '@longhaul/everything';
import { readConfig } from '@longhaul/gateway';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { serviceForTests, type TestService } from './gateway/gateway.js';

/** The capabilities of a client that shows pages of MCP Apps. */
export const SHOWS_APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

/** The page in which a user sees a task. */
export const TASK_PAGE = 'ui://longhaul/task';

/** People who are let in, by their tokens. */
export const PEOPLE = { ada: 'ada.has.this.token.of.a.test', bob: 'bob.has.that.token.of.a.test' } as const;

/** A service for all tests of the file that calls this: it lets these people in, and has the features that every deployment begins with. */
export function serviceWithPeople(): TestService {
  const tokens = Object.entries(PEOPLE).map(([name, token]) => `${name}:${token}`);
  const config = readConfig({ LONGHAUL_TOKENS: tokens.join(',') });
  const settings = { bodyLimitBytes: config.bodyLimitBytes, ...(config.tokens !== undefined && { tokens: config.tokens }) };
  return serviceForTests({ features: createFeatureRegistry(everything), settings });
}

/** Creates a task of somebody that asks for everything that a form can have, and leaves it. @returns its id */
export async function createAskingTask(url: string, token: string): Promise<string> {
  const client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: {} } });
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
  const call = { name: 'trigger-elicitation-request', arguments: {} };
  for await (const message of client.experimental.tasks.callToolStream(call, CallToolResultSchema, { task: {} })) {
    if (message.type === 'error') throw message.error;
    if (message.type !== 'taskCreated') continue;
    await client.close();
    return message.task.taskId;
  }
  throw new Error('The call was answered without a task.');
}
