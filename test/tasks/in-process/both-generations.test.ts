/** Tests one task in both generations of the protocol: created in one and read in the other, by clients with the same owner. */
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests, startGateways } from '../../support/gateway/gateways.js';
import { post, rpcSession } from '../../support/gateway/rpc.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { type ModernClient, modernClient } from '../../support/gateway-2026/modern-client.js';
import { accept, getTask, startTask, untilStatus, update } from '../../support/gateway-2026/task-client.js';

let modern: ModernClient;

const gateways = gatewaysForTests({ isStateless: true }, { features: modernFeatures });
beforeAll(async () => {
  modern = modernClient(gateways.second);
});

interface Answer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A request of 2025-11-25 to a gateway without sessions. */
async function legacy(method: string, params: object): Promise<Answer> {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  return (await post(gateways.first.app, body, { 'mcp-protocol-version': '2025-11-25' })).json<Answer>();
}

async function legacyTask(name: string, args: object = {}): Promise<string> {
  const { result } = await legacy('tools/call', { name, arguments: args, task: {} });
  return (result as { task: { taskId: string } }).task.taskId;
}

const legacyStatus = async (taskId: string): Promise<unknown> => (await legacy('tasks/get', { taskId })).result?.['status'];

describe('a task that a client of 2025-11-25 created', () => {
  it('is read by a client of 2026-07-28 in the words of its revision', async () => {
    const taskId = await legacyTask('shout', { text: 'hey' });
    const task = await untilStatus(modern, taskId, 'completed');

    expect(task).toMatchObject({ taskId, ttlMs: 1_000, result: { resultType: 'complete', structuredContent: { shouted: 'HEY' } } });
    for (const member of ['task', 'ttl', 'pollInterval']) expect(task).not.toHaveProperty(member);
    expect(JSON.stringify(task)).not.toContain('related-task');
  });

  it("is completed to the one and failed to the other when its tool's result is an error", async () => {
    const taskId = await legacyTask('must-be-task', { result: 'error-result' });

    expect((await untilStatus(modern, taskId, 'completed'))['result']).toMatchObject({ isError: true });
    expect(await legacyStatus(taskId)).toBe('failed');
  });

  it('is cancelled by a client of 2026-07-28', async () => {
    const taskId = await legacyTask('sleep');
    await modern.call('tasks/cancel', { taskId });

    expect(await legacyStatus(taskId)).toBe('cancelled');
    expect((await getTask(modern, taskId)).status).toBe('cancelled');
  });

  it('has no error that only the older revision has', async () => {
    const taskId = await legacyTask('visit-in-task', { page: 'legacy' });
    const { error } = await untilStatus(modern, taskId, 'failed');

    expect(error).toMatchObject({ code: -32603, message: 'URL elicitation required' });
    expect((await legacy('tasks/result', { taskId })).error).toMatchObject({ code: -32042 });
  });
});

describe('a task that a client of 2026-07-28 created', () => {
  it('is read by a client of 2025-11-25 in the words of its revision', async () => {
    const { taskId } = await startTask(modern, 'shout', { text: 'hey' });
    await waitUntil(async () => (await legacyStatus(taskId)) === 'completed', { description: 'it is completed' });
    const { result } = await legacy('tasks/get', { taskId });

    expect(result).toMatchObject({ taskId, ttl: 1_000, pollInterval: 1_000 });
    for (const member of ['ttlMs', 'pollIntervalMs', 'result', 'resultType']) expect(result).not.toHaveProperty(member);
    expect((await legacy('tasks/result', { taskId })).result).toEqual({
      content: [{ type: 'text', text: '{"shouted":"HEY"}' }],
      structuredContent: { shouted: 'HEY' },
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    });
  });

  it('shows its question to both, and is answered by the one that can', async () => {
    const { taskId } = await startTask(modern, 'ask');
    await waitUntil(async () => (await legacyStatus(taskId)) === 'input_required', { description: 'it asks' });
    const { inputRequests = {} } = await untilStatus(modern, taskId, 'input_required');
    await update(modern, taskId, { [Object.keys(inputRequests)[0] ?? '']: accept({ name: 'Ada' }) });

    expect((await legacy('tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'Hello Ada' }] });
  });

  it('is cancelled by a client of 2025-11-25', async () => {
    const { taskId } = await startTask(modern, 'sleep');
    expect((await legacy('tasks/cancel', { taskId })).result).toMatchObject({ status: 'cancelled' });

    expect((await getTask(modern, taskId)).status).toBe('cancelled');
  });
});

describe('a task of a session', () => {
  it('belongs to that session, and to nobody without it', async () => {
    const others = await startGateways({}, { features: modernFeatures });
    const session = await rpcSession(others.first.app);
    const { result } = await session.call('tools/call', { name: 'sleep', task: {} });
    const { taskId } = (result as { task: { taskId: string } }).task;
    const client = modernClient(others.second);
    for (const [method, params] of [
      ['tasks/get', {}],
      ['tasks/update', { inputResponses: {} }],
      ['tasks/cancel', {}],
    ] as const)
      expect((await client.call(method, { taskId, ...params })).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('not found') as string,
      });
    const created = await startTask(client, 'sleep');

    expect((await session.call('tasks/get', { taskId: created.taskId })).error).toMatchObject({ code: -32602 });
    expect((await session.call('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
    await others.close();
  });
});
