/** Tests calls that become tasks, and are cancelled before their client has the handle. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import type { TaskView } from '@longhaul/tasks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { rawInit } from '../../support/gateway-2026/raw-request.js';
import { startService, type TestService } from '../../support/gateway/gateway.js';
import { HEADERS, post, rpcSession, type RpcSession } from '../../support/gateway/rpc.js';

let service: TestService;
let session: RpcSession;
let url: string;
/** Lets held work continue: the reply of a creation, and a tool that prepares. */
let gate: PromiseWithResolvers<void>;
let preparing: number;

const features = createFeatureRegistry([
  defineTool({
    name: 'sleep',
    description: 'Sleeps',
    input: z.object({}),
    task: 'optional',
    run: async (_args, context) => {
      await context.sleep('long', 60_000);
      return 'slept';
    },
  }),
  defineTool({
    name: 'prepares',
    description: 'Takes its time before it becomes a task',
    input: z.object({}),
    task: 'optional',
    async prepare(args) {
      preparing += 1;
      await gate.promise;
      return args;
    },
    run: async () => 'done',
  }),
]);

beforeEach(async () => {
  gate = Promise.withResolvers();
  preparing = 0;
  service = await startService({
    features,
    tasks: (tasks) => ({
      ...tasks,
      async create(task) {
        const view = await tasks.create(task);
        await gate.promise;
        return view;
      },
    }),
  });
  url = await service.listen();
  session = await rpcSession(service.app);
});
afterEach(async () => {
  gate.resolve();
  await service.close();
});

/** Calls the tool as a task, and cancels the request when it has come so far. */
async function callAndCancel(params: object, hasBegun: () => boolean): Promise<void> {
  const { host: _host, ...headers } = HEADERS;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { task: {}, ...params } });
  const answering = fetch(url, { method: 'POST', headers: { ...headers, ...session.headers }, body });
  await waitUntil(hasBegun, { description: 'the call is under way' });
  await post(service.app, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'call' } }, session.headers);
  gate.resolve();
  expect(await (await answering).text()).not.toContain('"result"');
}

const created = async (): Promise<TaskView> => {
  const [view] = service.created;
  if (view === undefined) throw new Error('No task was created.');
  return service.tasks.get(view.taskId, { owner: view.owner });
};
const isCreated = (): boolean => service.created.length > 0;
const untilCancelled = () =>
  waitUntil(async () => (await created()).ending?.kind === 'cancelled', { description: 'the task is cancelled' });

describe('a call that is cancelled before its client has the handle', () => {
  it('leaves no task that works on', async () => {
    await callAndCancel({ name: 'sleep' }, isCreated);
    await untilCancelled();
  });

  it('creates no task when it is cancelled before that', async () => {
    await callAndCancel({ name: 'prepares' }, () => preparing === 1);
    await waitUntil(async () => (await session.call('tools/call', { name: 'sleep', task: {} })).result, {
      description: 'another call goes on',
    });
    expect(service.created.map(({ tool }) => tool)).toEqual(['sleep']);
  });

  it('leaves the task of an idempotency key, which another call of that key may have', async () => {
    await callAndCancel({ name: 'sleep', _meta: { 'longhaul/idempotencyKey': 'mine' } }, isCreated);
    const again = await session.call('tools/call', { name: 'sleep', task: {}, _meta: { 'longhaul/idempotencyKey': 'mine' } });
    expect(again.result).toMatchObject({ task: { taskId: (await created()).taskId, status: 'working' } });
  });

  it('leaves no task in 2026-07-28 either, where its client cancels by hanging up', async () => {
    const meta = { clientCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } };
    const leaving = new AbortController();
    const answering = fetch(url, { ...rawInit('tools/call', { params: { name: 'sleep' }, meta }), signal: leaving.signal });
    await waitUntil(isCreated, { description: 'the call is under way' });
    leaving.abort();
    await expect(answering).rejects.toThrow();
    await waitUntil(() => connections().then((open) => open === 0), { description: 'the hang-up is noticed' });
    gate.resolve();
    await untilCancelled();
  });
});

function connections(): Promise<number> {
  return new Promise((resolve, reject) => {
    service.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
