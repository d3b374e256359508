/** Tests tasks in stateless mode: every client that knows the id of one can reach it, at any gateway. */
import { CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { messagesOf } from '../../support/event-stream.js';
import { waitUntil } from '../../support/wait-until.js';
import type { GatewayApp } from '../../support/gateway/gateway.js';
import { gatewaysForTests, type TestGateway } from '../../support/gateway/gateways.js';
import { HEADERS, post, type RpcResponse } from '../../support/gateway/rpc.js';
import { openStream } from '../../support/gateway/stream.js';

let first: TestGateway;
let second: TestGateway;

const gateways = gatewaysForTests({ isStateless: true, keptQuestions: [], patienceMs: 20, keepAliveMs: 50 });
beforeAll(async () => {
  ({ first, second } = gateways);
});

async function call(app: GatewayApp, method: string, params: object = {}): Promise<RpcResponse> {
  const response = await post(app, { jsonrpc: '2.0', id: 1, method, params });
  if (String(response.headers['content-type']).startsWith('application/json')) return response.json<RpcResponse>();
  return messagesOf(response.body).at(-1) as unknown as RpcResponse;
}

async function startTask(name: string, args: object = {}): Promise<string> {
  const { result } = await call(first.app, 'tools/call', { name, arguments: args, task: {} });
  return CreateTaskResultSchema.parse(result).task.taskId;
}

function open(gateway: TestGateway, method: string, params: object) {
  const { host: _host, ...headers } = HEADERS;
  return openStream(gateway.url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
}

const done = { content: [{ type: 'text', text: 'counted to 3' }] };

describe('a plain call of a durable tool', () => {
  it('is answered, with progress on its stream', async () => {
    const stream = await open(first, 'tools/call', { name: 'count', _meta: { progressToken: 'p' } });
    await stream.ended();

    expect(stream.messages().at(-1)).toMatchObject({ id: 1, result: done });
    expect(stream.messages().at(-2)).toMatchObject({ method: 'notifications/progress', params: { progressToken: 'p', progress: 3 } });
  });

  it('goes on when its client hangs up, as a task that is found by its id', async () => {
    const ids = async () => (await gateways.store.views()).map((view) => view.taskId);
    const known = await ids();
    const stream = await open(first, 'tools/call', { name: 'sleep' });
    stream.hangUp();
    const taskId = await waitUntil(async () => (await ids()).find((id) => !known.includes(id)), { description: 'the task is there' });

    await waitUntil(async () => (await call(second.app, 'tasks/get', { taskId })).result?.['status'] === 'working', {
      description: 'the task has left its call',
    });
  });

  it('cannot ask the client anything, and fails where no question is kept', async () => {
    const { result } = await call(first.app, 'tools/call', { name: 'ask' });

    expect(JSON.stringify(result)).toContain('elicitation');
    expect(JSON.stringify(result)).toContain('No answer');
  });
});

describe('a task', () => {
  it('is watched, and its result fetched, by any client that knows its id, at any gateway', async () => {
    const taskId = await startTask('count');
    const { result } = await call(second.app, 'tasks/result', { taskId });

    expect(result).toMatchObject(done);
    expect((await call(first.app, 'tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'completed' });
  });

  it('sends its notifications on the stream of a request that waits for it', async () => {
    const taskId = await startTask('talk');
    const stream = await open(second, 'tasks/result', { taskId });
    await stream.message('the log message has come', ({ method }) => method === 'notifications/message');
    await call(first.app, 'tasks/cancel', { taskId });
    await stream.ended();

    expect(stream.messages().at(-1)).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(stream.text()).not.toMatch(/^id: /m);
  });

  it('is cancelled by any client that knows its id', async () => {
    const taskId = await startTask('sleep');

    expect((await call(second.app, 'tasks/cancel', { taskId })).result).toMatchObject({ status: 'cancelled' });
    expect((await call(first.app, 'tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
  });

  it('is found by its id only: there is no list', async () => {
    await startTask('sleep');

    expect((await call(first.app, 'tasks/list')).error?.code).toBe(-32601);
    const taskId = '00000000-0000-4000-8000-000000000000';
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      expect((await call(first.app, method, { taskId })).error).toMatchObject({
        code: -32602,
        message: 'Failed to retrieve task: Task not found',
      });
  });
});

describe('nothing of a session', () => {
  it('is kept', async () => {
    expect(await gateways.store.sessions()).toEqual([]);
  });
});
