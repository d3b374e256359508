/** Tests plain calls that their clients give up: what the client means decides whether the task continues, and the same call finds it. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import type { TaskView } from '@longhaul/tasks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests, startGateways, type TestGateway, type TestGateways } from '../../support/gateway/gateways.js';
import { type RpcSession, rpcSession } from '../../support/gateway/rpc.js';
import { PLAIN_CLIENT, requestOf } from '../../support/gateway-2026/modern-client.js';

const ends = new Map<string, (value: string) => void>();

function working(name: string, more: object) {
  return defineTool({
    name,
    description: 'Works until the test says so',
    input: z.object({ name: z.string() }),
    task: 'optional',
    ...more,
    run: (given, context) => context.step('work', () => new Promise<string>((resolve) => void ends.set(given.name, resolve))),
  });
}

const features = createFeatureRegistry([
  working('work', {}),
  working('work-once-more', { annotations: { idempotentHint: true } }),
  working('look', { annotations: { readOnlyHint: true } }),
  working('look-anew', { annotations: { readOnlyHint: true, idempotentHint: false } }),
  working('stubborn', { onAbandoned: 'continue' }),
  working('obedient', { onAbandoned: 'cancel' }),
]);

const TIMED_OUT = 'McpError: MCP error -32001: Request timed out';
const gateways = gatewaysForTests({ patienceMs: 20, syncWaitMs: 60_000 }, { features });
let calls = 0;

/** Finishes the work of that name. */
const finish = async (name: string): Promise<void> => (await waitUntil(() => ends.get(name), { description: `${name} works` }))('done');

async function viewsOf({ store }: TestGateways, name: string): Promise<readonly TaskView[]> {
  const views = await store.views();
  const created = await Promise.all(
    views.map(async (view) => [view, (await gateways.first.store.events.read(view.taskId, 0))[0]] as const),
  );
  return created.filter(([, first]) => first?.type === 'TaskCreated' && first.data.arguments['name'] === name).map(([view]) => view);
}

const untilView = (name: string, what: string, fits: (view: TaskView) => boolean): Promise<TaskView> =>
  waitUntil(async () => (await viewsOf(gateways, name)).find(fits), { description: what });
const isCancelled = ({ ending }: TaskView): boolean => ending?.kind === 'cancelled';
const isDetached = ({ detachedAt, ending }: TaskView): boolean => detachedAt !== undefined && ending === undefined;

/** What the record says of the end of the call. */
async function recordOf({ taskId }: TaskView): Promise<unknown> {
  const events = await gateways.first.store.events.read(taskId, 0);
  return events.find(({ type }) => type === 'TaskDetached' || type === 'TaskCancelled')?.data;
}

/** Begins a call of a session; it is under way. */
async function begin(session: RpcSession, tool: string, name: string, at: TestGateway = gateways.first) {
  const id = `call-${(calls += 1)}`;
  const stream = await at.post(session, id, 'tools/call', { name: tool, arguments: { name } });
  const cancel = (reason?: string, through = gateways.second): Promise<number> =>
    through.send(session, { method: 'notifications/cancelled', params: { requestId: id, ...(reason !== undefined && { reason }) } });
  return { id, stream, cancel };
}

describe('a call of a session that is cancelled', () => {
  let session: RpcSession;
  beforeAll(async () => {
    session = await rpcSession(gateways.first.app);
  });

  it('continues if the reason says that a limit was reached, also if another gateway hears it', async () => {
    const { cancel } = await begin(session, 'work', 'timed out');
    await cancel(TIMED_OUT);
    const view = await untilView('timed out', 'the task has left its call', isDetached);

    expect(await recordOf(view)).toEqual({
      because: 'abandoned',
      how: 'cancelled',
      reason: TIMED_OUT,
      afterMs: expect.any(Number) as number,
      client: 'test 1',
      continuedBy: 'reason',
    });
    await finish('timed out');
    const { result } = await session.call('tasks/result', { taskId: view.taskId });
    expect(result).toMatchObject({ content: [{ text: 'done' }] });
  });

  it.each([
    ['stopped', 'operation cancelled', 'The client cancelled the call: operation cancelled'],
    ['not explained', undefined, 'The client cancelled the call.'],
    ['obedient', TIMED_OUT, `The client cancelled the call: ${TIMED_OUT}`],
  ])('ends if it was %s, and the record says why', async (name, reason, recorded) => {
    const { cancel } = await begin(session, name === 'obedient' ? name : 'work', name);
    await cancel(reason);
    const view = await untilView(name, 'it is cancelled', isCancelled);

    expect(await recordOf(view)).toMatchObject({ reason: recorded });
  });

  it('continues if its tool says so', async () => {
    const { cancel } = await begin(session, 'stubborn', 'stubborn');
    await cancel('operation cancelled');
    const view = await untilView('stubborn', 'the task has left its call', isDetached);

    expect(await recordOf(view)).toMatchObject({ because: 'abandoned', reason: 'operation cancelled', continuedBy: 'tool' });
    await finish('stubborn');
  });

  it.each([
    ['timed out while away', TIMED_OUT, isDetached],
    ['stopped while away', 'context canceled', isCancelled],
  ])('is judged by its reason when no gateway served it then: %s', async (name, reason, fits) => {
    const { stream, cancel } = await begin(session, 'work', name);
    const lastEventId = await stream.lastEventId();
    stream.hangUp();
    await untilView(name, 'the hang-up is noticed', isDetached);
    await cancel(reason);
    const resumed = await gateways.second.get(session, lastEventId);
    await resumed.ended();

    await untilView(name, 'it is judged', fits);
  });

  it('continues when the connection is closed, which cancels nothing', async () => {
    const { stream } = await begin(session, 'work', 'closed');
    stream.hangUp();
    const view = await untilView('closed', 'the task has left its call', isDetached);

    expect(await recordOf(view)).toMatchObject({ because: 'abandoned', how: 'closed', continuedBy: 'stream' });
    await finish('closed');
  });
});

it('a call of a client that cannot come back is handed over when its gateway ends', async () => {
  const third = await gateways.another(features);
  const session = await rpcSession(third.app, '2025-06-18');
  const stream = await third.post(session, 'ending', 'tools/call', { name: 'work', arguments: { name: 'ending' } });
  await third.app.close();
  await stream.ended();
  await third.store.close();

  expect(JSON.stringify(stream.messages().at(-1))).toContain('call task_result');
  await untilView('ending', 'the task has left its call', isDetached);
});

describe('a call of 2026-07-28 whose response is closed before anything came', () => {
  it.each([
    ['is cancelled', 'work', isCancelled],
    ['is cancelled if its tool says so', 'obedient', isCancelled],
    ['continues if its tool says so', 'stubborn', isDetached],
  ])('%s', async (what, tool, fits) => {
    const end = new AbortController();
    const request = requestOf(what, 'tools/call', { name: tool, arguments: { name: what } }, { capabilities: PLAIN_CLIENT });
    const answer = fetch(gateways.first.url, { ...request, signal: end.signal }).catch(() => undefined);
    await untilView(what, 'the task runs', ({ standing }) => standing.epoch > 0);
    end.abort();
    await answer;
    const record = await recordOf(await untilView(what, 'it is judged', fits));

    expect(record).toMatchObject(
      tool === 'stubborn' ? { how: 'closed', continuedBy: 'tool' } : { reason: 'The client closed the connection of the call.' },
    );
  });
});

describe('the same call again', () => {
  let session: RpcSession;
  beforeAll(async () => {
    session = await rpcSession(gateways.first.app);
  });

  /** Calls a tool and gives the call up, so that the task runs on. */
  async function leave(tool: string, name: string): Promise<TaskView> {
    const { cancel } = await begin(session, tool, name);
    await cancel(TIMED_OUT);
    return untilView(name, 'the task has left its call', isDetached);
  }

  it.each(['work-once-more', 'look'])('gets the running task of %s, twice at the same time too', async (tool) => {
    const name = `again ${tool}`;
    await leave(tool, name);
    const repeats = await Promise.all([begin(session, tool, name), begin(session, tool, name, gateways.second)]);
    await finish(name);
    for (const { id, stream } of repeats)
      expect(await stream.message('the result', (message) => message['id'] === id)).toMatchObject({
        result: { content: [{ text: 'done' }] },
      });

    expect(await viewsOf(gateways, name)).toHaveLength(1);
  });

  it.each(['work', 'look-anew'])('starts a task of its own if the tool %s says nothing, or that it is not the same', async (tool) => {
    const name = `anew ${tool}`;
    await leave(tool, name);
    const { cancel } = await begin(session, tool, name);
    await waitUntil(async () => (await viewsOf(gateways, name)).length === 2, { description: 'there are two' });
    await cancel('operation cancelled');
  });

  it('starts a task of its own while somebody waits for the first, and after its end', async () => {
    const name = 'waited for';
    const first = await begin(session, 'look', name);
    await untilView(name, 'it runs', ({ standing }) => standing.epoch > 0);
    const second = await begin(session, 'look', name);
    await waitUntil(async () => (await viewsOf(gateways, name)).length === 2, { description: 'there are two' });
    await first.cancel(TIMED_OUT);
    const left = await untilView(name, 'the first has left its call', isDetached);
    await second.cancel('operation cancelled');
    await gateways.first.tasks.cancel(left.taskId, { owner: left.owner });
    await begin(session, 'look', name);

    await waitUntil(async () => (await viewsOf(gateways, name)).length === 3, { description: 'there are three' });
  });

  it('of another caller starts a task of its own', async () => {
    const name = 'of another';
    await leave('look', name);
    await begin(await rpcSession(gateways.first.app), 'look', name);

    await waitUntil(async () => (await viewsOf(gateways, name)).length === 2, { description: 'there are two' });
  });

  it('of a person who stops it then ends the task', async () => {
    const name = 'stopped again';
    await leave('look', name);
    const { cancel } = await begin(session, 'look', name);
    await cancel('operation cancelled');

    await untilView(name, 'it is cancelled', isCancelled);
    expect(await viewsOf(gateways, name)).toHaveLength(1);
  });
});

describe.each([
  ['continues whatever was said, if the deployment wants that', { onAbandoned: 'continue' }, 'operation cancelled', isDetached],
  ['ends whatever was said, if the deployment wants that', { onAbandoned: 'cancel' }, TIMED_OUT, isCancelled],
  ['ends with the bare protocol', { isBare: true }, TIMED_OUT, isCancelled],
] as const)('a call that is given up', (what, settings, reason, fits) => {
  let own: TestGateways;
  beforeAll(async () => {
    own = await startGateways({ patienceMs: 20, ...settings }, { features });
  });
  afterAll(() => own.close());

  it(what, async () => {
    const session = await rpcSession(own.first.app);
    await own.first.post(session, 'call', 'tools/call', { name: 'work', arguments: { name: what } });
    await own.second.send(session, { method: 'notifications/cancelled', params: { requestId: 'call', reason } });

    await waitUntil(async () => (await own.store.views()).find(fits), { description: 'it is judged' });
  });
});
