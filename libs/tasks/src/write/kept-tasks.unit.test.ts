import { expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { DEFAULT_KEEP_TIMES, type KeepTimes } from '../ports/keep-times.js';
import { UNLIMITED } from '../ports/store-capacity.js';

const DAY_MS = 24 * 3_600_000;

/** For how long operators have a task that ended so. */
async function keptMsOf(end: 'completed' | 'failed' | 'cancelled', keep: KeepTimes, hasRoomToSpare = true): Promise<number | undefined> {
  const engine = new Engine(
    async () => {
      if (end === 'failed') throw new Error('no');
      return 'done';
    },
    (store) => ({ ...store, keep, capacity: { ...UNLIMITED, hasRoomToSpare: () => hasRoomToSpare } }),
  );
  const taskId = await engine.create();
  expect((await engine.store.events.views([taskId]))[0]).not.toHaveProperty('keptMs');
  if (end === 'cancelled') await engine.cancel(taskId);
  else await engine.settle();
  const [view] = await engine.store.events.views([taskId]);
  expect(view?.endedAt).toBeDefined();
  return view?.keptMs;
}

it.each([
  ['failed', DEFAULT_KEEP_TIMES, 7 * DAY_MS],
  ['completed', DEFAULT_KEEP_TIMES, undefined],
  ['cancelled', DEFAULT_KEEP_TIMES, undefined],
  ['failed', { endedMs: 0, failedMs: 0 }, undefined],
  ['completed', { endedMs: DAY_MS, failedMs: 0 }, DAY_MS],
  ['cancelled', { endedMs: DAY_MS, failedMs: 0 }, DAY_MS],
  ['failed', { endedMs: DAY_MS, failedMs: 0 }, DAY_MS],
  ['failed', { endedMs: DAY_MS, failedMs: 2 * DAY_MS }, 2 * DAY_MS],
] as const)('a %s task, with %j, is kept for operators for %s ms', async (end, keep, expected) => {
  expect(await keptMsOf(end, keep)).toBe(expected);
});

it('is kept for no longer than its client has it while the store fills up', async () => {
  expect(await keptMsOf('failed', DEFAULT_KEEP_TIMES, false)).toBeUndefined();
});
