import { openMemoryStore } from '@longhaul/store-sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { override } from '../../../../test/support/override.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { WorkerLease } from '../replay/worker-lease.js';
import { CUT_SHARE, type Heartbeat, type RegisteredWorker, type WorkerRegistry } from '../ports/worker-registry.js';
import { WorkerPresence } from './worker-presence.js';

const TIMES = { beatMs: 2, deadAfterMs: 4_000 };
const alive = new AbortController().signal;
const presences: WorkerPresence[] = [];

afterEach(() => {
  for (const presence of presences.splice(0)) presence.leave();
});

/** Workers that run on the test's clock, on a store that the test may take away. */
function deployment() {
  const time = { now: 100_000, isAway: false };
  const kept = openMemoryStore({ clock: () => time.now, workerTimes: TIMES }).workers;
  let beats = 0;
  const onBeat: { beaten?: (found: Heartbeat) => Promise<void> } = {};
  const beat: WorkerRegistry['beat'] = async (worker) => {
    if (time.isAway) throw new Error('The store is away.');
    beats += 1;
    const found = await kept.beat(worker);
    await onBeat.beaten?.(found);
    return found;
  };
  const registry = override(kept, { beat });
  const asked: string[] = [];
  const recovered: string[] = [];
  const queues: { answer: Promise<void> } = { answer: Promise.resolve() };
  let lost = 0;
  const lease = new WorkerLease(() => time.now);
  const start = async (workerId: string): Promise<WorkerPresence> => {
    const presence = new WorkerPresence({
      registry,
      worker: { workerId, version: '1', tools: [], slots: 1, startedAt: 0 },
      consumer: {
        lockToken: `token of ${workerId}`,
        recover: async (token, isDead) => {
          asked.push(token);
          await queues.answer;
          return (await isDead()) ? recovered.push(token) : undefined;
        },
        loseAll: () => void (lost += 1),
      },
      onDeath: () => undefined,
      onError: () => undefined,
      lease,
    });
    presences.push(presence);
    await presence.start();
    return presence;
  };
  const beaten = async (): Promise<void> => {
    const before = beats;
    await waitUntil(() => beats >= before + 2, { description: 'it has beaten' });
  };
  /** Lets time pass in steps in which the worker beats. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      time.now += 500;
      await beaten();
    }
  };
  const dead: RegisteredWorker = { workerId: 'dead', version: '1', tools: [], lockToken: 'token of dead', slots: 1, startedAt: 0 };
  return { time, lease, registry, onBeat, queues, asked, recovered, start, pass, beaten, dead, lost: () => lost };
}

describe('a worker whose connection ends', () => {
  it('may run steps for less time, and beats as soon as it has another one', async () => {
    const { time, lease, registry, start, beaten } = deployment();
    const heard: { connection?: (isThere: boolean) => void } = {};
    registry.onConnection = (listener) => (heard.connection = listener);
    await start('worker');
    await beaten();
    const heldMs = lease.untilMs - time.now;
    time.isAway = true;
    heard.connection?.(false);
    expect(lease.untilMs - time.now).toBeLessThan(TIMES.deadAfterMs * CUT_SHARE.dead);
    time.isAway = false;
    heard.connection?.(true);
    await waitUntil(() => lease.untilMs - time.now === heldMs, { description: 'its lease is as long as before' });
  });
});

describe('a worker among others', () => {
  it('gives the jobs of one that is silent for long enough to others, once', async () => {
    const { registry, start, pass, recovered, dead } = deployment();
    await registry.beat(dead);
    const presence = await start('heir');
    await pass(3_500);
    expect(recovered).toEqual([]);
    expect(await presence.hasDied('dead', alive)).toBe(false);
    await pass(1_000);
    expect(recovered).toEqual(['token of dead']);
    expect(await presence.hasDied('dead', alive)).toBe(true);
    expect(await presence.hasDied('heir', alive)).toBe(false);
  });

  it.each([
    ['its process has ended', 'process', 0],
    ['its connection has ended, and it does not connect again', 'connection', TIMES.deadAfterMs * CUT_SHARE.dead],
  ] as const)('takes over, right after its own start, one that is dead because %s', async (_title, ended, afterMs) => {
    const { registry, onBeat, start, pass, recovered, dead, beaten, time } = deployment();
    await registry.beat(dead);
    time.now += TIMES.deadAfterMs;
    onBeat.beaten = async (found) => {
      for (const one of found.dead) Object.assign(one, { ended });
    };
    await start('heir');
    await pass(afterMs - 500);
    if (afterMs > 0) expect(recovered).toEqual([]);
    await pass(500);
    await beaten();
    expect(recovered).toEqual(['token of dead']);
  });

  it('gives those whose connections have ended the usual time, after it was out of touch itself', async () => {
    const { time, registry, onBeat, start, pass, beaten, recovered, dead } = deployment();
    onBeat.beaten = async (found) => {
      for (const one of found.dead) Object.assign(one, { ended: 'connection' });
    };
    await start('heir');
    await pass(3_500);
    await registry.beat(dead);
    time.isAway = true;
    time.now += 8_000;
    time.isAway = false;
    await beaten();
    await pass(2_000);
    expect(recovered).toEqual([]);
    await pass(1_500);
    expect(recovered).toEqual(['token of dead']);
  });

  it('believes one at once that says that it leaves', async () => {
    const { registry, start, recovered, dead, beaten } = deployment();
    await registry.beat(dead);
    const presence = await start('heir');
    registry.leave('dead');
    expect(await presence.hasDied('dead', alive)).toBe(true);
    await beaten();
    expect(recovered).toEqual(['token of dead']);
    expect(await presence.hasDied('dead', alive)).toBe(true);
  });

  it('goes on to beat while a queue lets the jobs of a dead one wait, and asks for them once', async () => {
    const { registry, queues, start, asked, recovered, lease, pass, dead } = deployment();
    const answer = Promise.withResolvers<void>();
    queues.answer = answer.promise;
    await registry.beat(dead);
    await start('heir');
    registry.leave('dead');
    await pass(5_000);
    expect(lease.isHeld).toBe(true);
    expect(asked).toEqual(['token of dead']);
    answer.resolve();
    await waitUntil(() => recovered.length === 1, { description: 'the jobs are recovered' });
  });

  it('does not judge by what it knew before it was out of touch itself', async () => {
    const { time, registry, queues, start, asked, recovered, pass, beaten, dead } = deployment();
    const answer = Promise.withResolvers<void>();
    queues.answer = answer.promise;
    await registry.beat(dead);
    await start('heir');
    await pass(4_500);
    expect(asked).toEqual(['token of dead']);
    time.isAway = true;
    time.now += 8_000;
    answer.resolve();
    time.isAway = false;
    await beaten();
    expect(recovered).toEqual([]);
    expect(await registry.standing('dead')).toBe('silent');
  });

  it('takes nobody for dead after it was out of touch itself, until the others had time to beat again', async () => {
    const { time, registry, start, pass, beaten, recovered, dead } = deployment();
    await registry.beat(dead);
    const presence = await start('heir');
    await pass(3_500);
    time.isAway = true;
    time.now += 8_000;
    time.isAway = false;
    await beaten();
    expect(recovered).toEqual([]);
    let isKnown = false;
    void presence.hasDied('dead', alive).then(() => (isKnown = true));
    await pass(1_000);
    await registry.beat(dead);
    await pass(2_500);
    expect(recovered).toEqual([]);
    await waitUntil(() => isKnown, { description: 'it is known whether it has died' });
  });

  it('is sure of its jobs for less long than others wait, and after a silence once it was not found to be dead', async () => {
    const { time, lease, start, beaten } = deployment();
    await start('worker');
    expect(lease.isHeld).toBe(true);
    time.isAway = true;
    time.now += TIMES.deadAfterMs - 1;
    expect(lease.isHeld).toBe(false);
    time.isAway = false;
    const before = lease.untilMs;
    await beaten();
    await waitUntil(() => lease.untilMs > before, { description: 'it is sure again' });
    expect(lease.isHeld).toBe(true);
  });

  it('leaves its jobs to one that was taken for dead and has beaten meanwhile', async () => {
    const { registry, onBeat, start, recovered, dead, beaten } = deployment();
    await registry.beat(dead);
    onBeat.beaten = async (found) => {
      if (found.dead.length > 0) await registry.beat(dead);
    };
    await start('heir');
    registry.leave('dead');
    await beaten();
    expect(recovered).toEqual([]);
    expect(await registry.standing('dead')).toBe('live');
  });

  it('drops what it runs when it was taken for dead, and is known again', async () => {
    const { registry, start, beaten, lost } = deployment();
    await start('stopped');
    registry.leave('stopped');
    await registry.forget('stopped');
    await beaten();
    expect(lost()).toBe(1);
    expect((await registry.live()).map(({ workerId }) => workerId)).toEqual(['stopped']);
  });
});
