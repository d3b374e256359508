/** The SDK's first TypeScript client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { callScenarios, readScenarios, reported } from './common-scenarios.ts';
import { assignment, later, play, textOf } from './program.ts';

const asked: string[] = [];
const updated = later<string>();
const client = new Client({ name: 'suite', version: '1' }, { capabilities: { elicitation: { form: {} }, sampling: {} } });
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  asked.push(params.message);
  return { action: 'accept', content: { name: 'Grace', city: 'Oslo' } };
});
client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
  asked.push(textOf(params.messages[0]));
  return { role: 'assistant', model: 'suite', content: { type: 'text', text: 'word' } };
});
client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated.set(params.uri));

const { url, stdio } = assignment;
// Its `sessionId` may be undefined, which the interface that it implements does not say.
const http = () => new StreamableHTTPClientTransport(new URL(url ?? '')) as Transport;
await client.connect(stdio === undefined ? http() : new StdioClientTransport(stdio));

const call = async (name: string, args: Readonly<Record<string, unknown>> = {}) => textOf(await client.callTool({ name, arguments: args }));
const names = async () => (await client.listTools()).tools.map(({ name }) => name);
const { tasks } = client.experimental;

await play(
  {
    ...callScenarios(call, asked),
    list: names,
    structured: async () => (await client.callTool({ name: 'suite-add', arguments: { a: 1, b: 2 } })).structuredContent,
    progress: () => reported((onprogress) => client.callTool({ name: 'suite-count' }, undefined, { onprogress })),
    ...readScenarios(client),
    subscription: async () => {
      await client.subscribeResource({ uri: 'suite://watched' });
      await call('suite-touch');
      return updated.value;
    },
    task: async () => {
      const seen: Record<string, unknown> = {};
      for await (const message of tasks.callToolStream({ name: 'suite-deliver' }, CallToolResultSchema, { task: {} })) {
        if (message.type === 'taskCreated') seen['taskId'] = message.task.taskId;
        if (message.type === 'error') throw message.error;
        if (message.type === 'result') seen['text'] = textOf(message.result);
      }
      return { ...seen, asked: asked.pop() };
    },
    cancel: async () => {
      for await (const message of tasks.callToolStream({ name: 'suite-linger' }, CallToolResultSchema, { task: {} })) {
        if (message.type !== 'taskCreated') break;
        await tasks.cancelTask(message.task.taskId);
        return (await tasks.getTask(message.task.taskId)).status;
      }
      return 'no task';
    },
    outlive: () => call('suite-outlive'),
    afterwards: () => call('suite-greet', { name: 'Ada' }),
  },
  async () => ({ shown: await names(), call }),
  () => client.close(),
);
