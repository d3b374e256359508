/** Tests that the values of a session are kept as long as the session: neither longer nor shorter. */
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { afterEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { changeFeatures } from '../../support/gateway/change-features.js';
import { startService, type TestService } from '../../support/gateway/gateway.js';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { jobFeatures } from '../../support/gateway/job-features.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';

/** Far longer than a request takes on a busy machine. */
const IDLE_MS = 3_000;

let gateways: TestGateways | undefined;
afterEach(async () => {
  await gateways?.close();
  gateways = undefined;
});

async function start(idleMs = IDLE_MS): Promise<{ gateways: TestGateways; session: RpcSession }> {
  gateways = await startGateways({ keepAliveMs: 50, patienceMs: 20 }, { features: jobFeatures, idleMs });
  return { gateways, session: await rpcSession(gateways.first.app) };
}

const setValue = (session: RpcSession) => session.call('tools/call', { name: 'value', arguments: { name: 'colour', value: 'red' } });
const getValue = async (session: RpcSession) =>
  (await session.call('tools/call', { name: 'value', arguments: { name: 'colour' } })).result?.['content'];

/** Whether the session and its values exist, both at one moment. */
async function existing({ store }: TestGateways, { id }: RpcSession): Promise<{ session: boolean; values: boolean }> {
  const kept = await store.ofSession(id);
  return { session: kept.has('session'), values: kept.has('values') };
}

/** Looks until the session and its values are gone. @returns whether the values were there as long as the session */
async function keptToTheEnd(all: TestGateways, session: RpcSession): Promise<boolean> {
  let lostEarly = false;
  await waitUntil(
    async () => {
      const there = await existing(all, session);
      if (there.session && !there.values) lostEarly = true;
      return !there.session;
    },
    { description: 'the session is gone' },
  );
  await waitUntil(async () => !(await existing(all, session)).values, { description: 'its values are gone' });
  return !lostEarly;
}

describe('the values of a session', () => {
  it.each([
    ['a request', setValue],
    ['a task', (session: RpcSession) => session.call('tools/call', { name: 'durable-value', arguments: { name: 'colour', value: 'red' } })],
  ])('that %s has set end with the session when nobody uses it', async (_title, set) => {
    const started = await start();
    await set(started.session);

    expect(await keptToTheEnd(started.gateways, started.session)).toBe(true);
  });

  it('are kept while the session is used, at whichever gateway', async () => {
    const started = await start();
    const { session } = started;
    await setValue(session);
    const other = started.gateways.second.use(session);
    const until = performance.now() + 3 * IDLE_MS;
    for (let isFirst = true; performance.now() < until; isFirst = !isFirst)
      expect((await (isFirst ? session : other).call('ping')).result).toEqual({});

    expect(await getValue(other)).toEqual([{ type: 'text', text: '"red"' }]);
    expect(await keptToTheEnd(started.gateways, session)).toBe(true);
  });

  it('are kept while a stream is open, and end with the session after it', async () => {
    const started = await start();
    const { session } = started;
    await setValue(session);
    const stream = await started.gateways.second.get(session);
    const until = performance.now() + 3 * IDLE_MS;
    await waitUntil(
      async () => {
        expect(await existing(started.gateways, session)).toEqual({ session: true, values: true });
        return performance.now() > until;
      },
      { description: 'more than the idle time is over' },
    );
    stream.hangUp();

    expect(await keptToTheEnd(started.gateways, session)).toBe(true);
  });

  it('are not kept by a client that goes on to ask for a session that has ended', async () => {
    const started = await start();
    const { session, gateways: all } = started;
    await all.store.expireSession(session.id);
    await all.first.store.sessionState.set(session.id, 'left', true);
    await waitUntil(
      async () => {
        expect((await session.call('ping')).error?.code).toBe(-32001);
        return !(await existing(all, session)).values;
      },
      { description: 'the values are gone' },
    );
  });

  it('are kept for longer than a day in a session that may be idle for longer', async () => {
    const weekMs = 7 * 24 * 3_600_000;
    const started = await start(weekMs);
    await setValue(started.session);

    expect((await started.gateways.store.ofSession(started.session.id)).get('values')).toBeGreaterThan(weekMs - 60_000);
  });

  it('end with DELETE', async () => {
    const started = await start();
    await setValue(started.session);
    await started.gateways.second.remove(started.session);

    expect(await existing(started.gateways, started.session)).toEqual({ session: false, values: false });
  });
});

describe('what all sessions of an address keep', () => {
  const BYTES = 2_000;
  const refusal = `The sessions of one caller, or of one address, hold at most ${BYTES} bytes`;

  it('is bounded for all writers, and free again when a session ends', async () => {
    const features = createFeatureRegistry([...jobFeatures.features, ...changeFeatures.features]);
    gateways = await startGateways({ keepAliveMs: 50, patienceMs: 20 }, { features, accountSessionBytes: BYTES });
    const { first, second, store } = gateways;
    const [one, other] = [await rpcSession(first.app), await rpcSession(second.app)];
    const set = (session: RpcSession, tool: string, value: string) =>
      session.call('tools/call', { name: tool, arguments: { name: `by ${tool}`, value } });
    const half = 'x'.repeat(BYTES / 2);
    expect((await set(one, 'value', half)).result?.['isError']).toBeUndefined();
    expect((await other.call('tools/call', { name: 'job', arguments: { job: 'ticking', isToRun: true } })).result).toBeDefined();
    await waitUntil(() => second.store.sessionState.get(other.id, 'ticks'), { description: 'the session job has set a value' });
    await other.call('tools/call', { name: 'job', arguments: { job: 'ticking', isToRun: false } });
    expect((await set(other, 'durable-value', 'x')).result?.['isError']).toBeUndefined();

    expect(JSON.stringify(await set(other, 'value', half))).toContain(refusal);
    expect(JSON.stringify(await set(other, 'durable-value', half))).toContain(refusal);
    expect((await other.call('resources/subscribe', { uri: `test://${half}` })).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining(refusal) as string,
    });
    const accounts = await store.sessionBytes();
    expect(accounts).toHaveLength(1);
    expect(accounts[0]).toHaveLength(2);

    await first.remove(one);
    await waitUntil(async () => (await set(other, 'value', half)).result?.['isError'] !== true, { description: 'there is room' });
  });
});

describe('the values of a session, by a clock that goes ahead', () => {
  let service: TestService | undefined;
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });

  it('are kept while it is used, and end with it', async () => {
    const clock = { now: 1_000 };
    service = await startService({ features: jobFeatures, clock: () => clock.now, idleMs: 60_000 });
    const session = await rpcSession(service.app);
    await setValue(session);
    for (let uses = 0; uses < 3; uses++) {
      clock.now += 59_000;
      await session.call('ping');
    }
    expect(await getValue(session)).toEqual([{ type: 'text', text: '"red"' }]);
    clock.now += 60_000;

    expect(await service.store.sessionState.names(session.id, '')).toEqual([]);
  });

  it('are kept for longer than a day in a session that may be idle for longer', async () => {
    const dayMs = 24 * 3_600_000;
    const clock = { now: 1_000 };
    service = await startService({ features: jobFeatures, clock: () => clock.now, idleMs: 7 * dayMs });
    const session = await rpcSession(service.app);
    await setValue(session);
    clock.now += 6 * dayMs;

    expect(await getValue(session)).toEqual([{ type: 'text', text: '"red"' }]);
  });
});
