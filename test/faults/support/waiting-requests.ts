/** Requests of the SDKs' own clients that wait for a task: the tool `errand`. */
import { Client as ModernSdkClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { waitUntil } from '../../support/wait-until.js';
import { listen } from '../../support/gateway-2026/listener.js';
import { modernClient } from '../../support/gateway-2026/modern-client.js';
import { startTask } from '../../support/gateway-2026/task-client.js';

/** A request that waits for its task: resolves with the text of the result. */
export type Waiting = (gateway: { readonly url: string }, args: { readonly id: string; readonly ms: number }) => Promise<string>;

const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

/** Has a stock client of version 2025-11-25 do something. */
async function within(url: string, use: (client: Client) => Promise<string>): Promise<string> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const plainCall: Waiting = async ({ url }, args) => {
  return within(url, async (client) => textOf(await client.callTool({ name: 'errand', arguments: args })));
};

const tasksResult: Waiting = async ({ url }, args) => {
  const call = { method: 'tools/call' as const, params: { name: 'errand', arguments: args, task: {} } };
  return within(url, async (client) => {
    const { task } = await client.request(call, CreateTaskResultSchema);
    return textOf(await client.request({ method: 'tasks/result', params: { taskId: task.taskId } }, CallToolResultSchema));
  });
};

const syncCall: Waiting = async ({ url }, args) => {
  const client = new ModernSdkClient({ name: 'plain', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new ModernTransport(new URL(url)));
  try {
    return textOf(await client.callTool({ name: 'errand', arguments: args }));
  } finally {
    await client.close();
  }
};

const listening: Waiting = async (gateway, args) => {
  const { taskId } = await startTask(modernClient(gateway), 'errand', args);
  const stream = await listen(gateway, { taskIds: [taskId] });
  const ended = await waitUntil(() => stream.notificationsOf(taskId).find(({ status }) => status !== 'working'), {
    description: 'a notification that the task has ended',
  });
  stream.hangUp();
  return textOf(ended['result']);
};

/** Those of both protocol versions. */
export const KINDS: readonly Waiting[] = [plainCall, tasksResult, syncCall, listening];
