/** Tests session jobs: how they start, run and end, on each store. */
import { afterEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { startService } from '../../support/gateway/gateway.js';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { endedCalls, heldCalls, heldRuns, jobFeatures, runs, withoutTicking } from '../../support/gateway/job-features.js';
import { type RpcSession, rpcSession, sessionAt } from '../../support/gateway/rpc.js';

/** A service that runs session jobs. */
interface Service {
  /** A new session. */
  open(): Promise<RpcSession>;
  /** The session at another gateway, if there is one. */
  elsewhere(session: RpcSession): RpcSession;
  remove(session: RpcSession): Promise<unknown>;
  /** Names of what the session holds. */
  names(session: RpcSession): Promise<readonly string[]>;
  /** Resolves when the queue is empty, as far as one can look into it. */
  queueIsEmpty(): Promise<void>;
  close(): Promise<void>;
}

type Options = NonNullable<Parameters<typeof startGateways>[1]>;

async function onOneGateway(options: Options): Promise<Service> {
  const service = await startService({ ...options, settings: { patienceMs: 20 } });
  return {
    open: () => rpcSession(service.app),
    elsewhere: (session) => session,
    remove: ({ headers }) => service.app.inject({ method: 'DELETE', url: '/mcp', headers: { host: '127.0.0.1:3000', ...headers } }),
    names: ({ id }) => service.store.sessionState.names(id, ''),
    queueIsEmpty: () => Promise.resolve(),
    close: () => service.close(),
  };
}

async function onTwoGateways(options: Options): Promise<Service & { readonly gateways: TestGateways }> {
  const gateways = await startGateways({ keepAliveMs: 50, patienceMs: 20 }, options);
  const { first, second, store } = gateways;
  return {
    gateways,
    open: () => rpcSession(first.app),
    elsewhere: ({ id }) => sessionAt(second.app, id),
    remove: (session) => second.remove(session),
    names: ({ id }) => second.store.sessionState.names(id, ''),
    queueIsEmpty: async () => void (await waitUntil(async () => (await store.queuedJobs()) === 0, { description: 'no job is left' })),
    close: async () => {
      expect(await gateways.store.leftForEver()).toEqual([]);
      await gateways.close();
    },
  };
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function call(session: RpcSession, job: string, isToRun: boolean): Promise<unknown> {
  const { result } = await session.call('tools/call', { name: 'job', arguments: { job, isToRun } });
  return ((result?.['content'] ?? []) as { text: string }[])[0]?.text;
}

const start = (session: RpcSession, job = 'ticking') => call(session, job, true);
const stop = (session: RpcSession, job = 'ticking') => call(session, job, false);
const runsOf = ({ id }: RpcSession): number => runs.get(id) ?? 0;

/** Resolves when the job has run again. */
async function untilItRuns(session: RpcSession, times = 1): Promise<void> {
  const known = runsOf(session);
  await waitUntil(() => runsOf(session) >= known + times, { description: 'the job runs' });
}

/** Resolves when a job that would still run would have run again. */
async function runsNoMore(service: Service, session: RpcSession): Promise<void> {
  const known = runsOf(session);
  // Another job with the same pace says how much time has gone by.
  const other = await service.open();
  await start(other);
  await untilItRuns(other, 4);
  await stop(other);
  expect(runsOf(session)).toBe(known);
}

describe.each([
  ['one gateway', onOneGateway],
  ['two gateways', onTwoGateways],
])('a session job on %s', (_name, startOn) => {
  async function started(options: Options = {}): Promise<{ service: Service; session: RpcSession }> {
    const service = await startOn({ features: jobFeatures, ...options });
    open.push(() => service.close());
    return { service, session: await service.open() };
  }

  it('runs again and again, sees the values of its session, and ends when it is stopped', async () => {
    const { service, session } = await started();
    expect(await start(session)).toBe('true');
    await untilItRuns(session, 3);
    expect(await stop(service.elsewhere(session))).toBe('true');
    await service.queueIsEmpty();
    await runsNoMore(service, session);

    expect(await service.names(session)).toEqual(['ticks']);
  });

  it('runs once however often it is started, and can be started again', async () => {
    const { service, session } = await started();
    expect(await start(session)).toBe('true');
    expect(await start(service.elsewhere(session))).toBe('false');
    expect(await stop(session)).toBe('true');
    expect(await stop(service.elsewhere(session))).toBe('false');
    expect(await start(service.elsewhere(session))).toBe('true');
    await untilItRuns(session, 3);
    await stop(session);
    await service.queueIsEmpty();
  });

  it('is started by one of several calls at once', async () => {
    const { service, session } = await started();
    const calls = Array.from({ length: 8 }, (_, n) => start(n % 2 === 0 ? session : service.elsewhere(session)));

    expect((await Promise.all(calls)).filter((started) => started === 'true')).toHaveLength(1);
    await untilItRuns(session);
    const stops = Array.from({ length: 8 }, (_, n) => stop(n % 2 === 0 ? session : service.elsewhere(session)));
    expect((await Promise.all(stops)).filter((stopped) => stopped === 'true')).toHaveLength(1);
    await service.queueIsEmpty();
  });

  it('runs again when it has thrown', async () => {
    const { service, session } = await started();
    await start(session, 'throwing');
    await untilItRuns(session, 3);
    await stop(session, 'throwing');
    await service.queueIsEmpty();
  });

  it('is not interrupted when it is stopped, but that run is its last one', async () => {
    const { service, session } = await started();
    await start(session, 'held');
    const end = await waitUntil(() => heldRuns.get(session.id), { description: 'the job runs' });
    await stop(session, 'held');
    end();
    await service.queueIsEmpty();
    await runsNoMore(service, session);

    expect(runsOf(session)).toBe(1);
  });

  it('of which no worker knows ends, and can be started again', async () => {
    const { service, session } = await started({ workerFeatures: withoutTicking });
    expect(await start(session)).toBe('true');
    await waitUntil(async () => (await service.names(session)).length === 0, { description: 'it has ended' });
    await service.queueIsEmpty();

    expect(await start(session)).toBe('true');
  });

  it('that there is none of cannot be started', async () => {
    const { session } = await started();

    expect(await start(session, 'no-such')).toBe('There is no session job "no-such".');
    expect(await stop(session, 'no-such')).toBe('false');
  });

  it('ends with its session', async () => {
    const { service, session } = await started();
    await start(session);
    await untilItRuns(session);
    await service.remove(session);
    await service.queueIsEmpty();

    await runsNoMore(service, session);
  });

  it('ends with a session that nobody uses any more', async () => {
    const { service, session } = await started({ idleMs: 4_000 });
    await start(session);
    await untilItRuns(session, 2);
    await waitUntil(async () => (await service.names(session)).length === 0, { description: 'the session has expired' });
    await service.queueIsEmpty();

    await runsNoMore(service, session);
  });

  it('does not start in a session that has ended meanwhile', async () => {
    const { service, session } = await started();
    const late = session.call('tools/call', { name: 'late-job', arguments: { job: 'ticking' } });
    const goOn = await waitUntil(() => heldCalls.get(session.id), { description: 'the call runs' });
    await service.remove(session);
    await late;
    goOn();
    await waitUntil(() => endedCalls.get(session.id), { description: 'the call is over' });
    await service.queueIsEmpty();

    expect(endedCalls.get(session.id)).toBe('false');
    expect(await service.names(session)).not.toContainEqual(expect.stringContaining('job'));
  });
});

describe('a notification of a session job', () => {
  it('reaches the stream of its session at any gateway, in its order, and no other session', async () => {
    const service = await onTwoGateways({ features: jobFeatures });
    open.push(() => service.close());
    const { second } = service.gateways;
    const [session, other] = [await service.open(), await service.open()];
    const [stream, others] = [await second.get(session), await second.get(other)];
    await start(session);
    await stream.message('the second tick has come', ({ params }) => (params as { data?: unknown }).data === 'tick 2');
    await stop(session);

    expect(stream.messages().slice(0, 4)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'tick 1', logger: 'clock' } },
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'tick://1' } },
      { jsonrpc: '2.0', method: 'notifications/resources/list_changed', params: {} },
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'tick 2', logger: 'clock' } },
    ]);
    expect(others.messages()).toEqual([]);
    stream.hangUp();
    others.hangUp();
  });

  it('is left out below the level that the session has set', async () => {
    const service = await onTwoGateways({ features: jobFeatures });
    open.push(() => service.close());
    const session = await service.open();
    await session.call('logging/setLevel', { level: 'warning' });
    const stream = await service.gateways.second.get(session);
    await start(session);
    await stream.message('the second change has come', ({ params }) => (params as { uri?: unknown }).uri === 'tick://2');

    expect(stream.messages().filter(({ method }) => method === 'notifications/message')).toEqual([]);
    stream.hangUp();
  });
});
