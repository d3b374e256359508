/**
 * Many workers, whose clocks differ by a minute, look at the same schedules at the same time. They die before and after any call of the
 * store, and take schedules that others have taken. The store's own clock is off by up to 30 s, each time anew.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dueTimes } from '@longhaul/runtime/schedules';
import { override } from '../../../../../test/support/override.js';
import type { TaskStore } from '../../ports/task-store.js';
import { given, MINUTE_MS, OPS, ScheduleWorld } from '../../../../../test/support/schedule-world.js';

const OVERLAPS = ['skip', 'queue', 'allow', 'cancel'] as const;

/** Makes pseudo-random numbers from 0 to below 1. */
function randomness(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

class Killed extends Error {}

/** The store as a process sees it that may die at any call, and then makes no more. */
function mortal(store: TaskStore, random: () => number, deadliness: number): TaskStore {
  let isDead = false;
  const die = (): void => {
    isDead ||= random() < deadliness;
    if (isDead) throw new Killed();
  };
  const wrapped = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name): unknown {
        const own: unknown = Reflect.get(target, name, target);
        if (typeof own !== 'function') return own;
        return async (...given: unknown[]): Promise<unknown> => {
          for (let turns = Math.floor(random() * 4); turns > 0; turns--) await Promise.resolve();
          die();
          const result = (await own.apply(target, given)) as unknown;
          die();
          return result;
        };
      },
    });
  const schedules = override(store.schedules, {
    // Now and then a lease of another one has expired too early.
    take: async (limit, leaseMs) => {
      const taken = await store.schedules.take(limit, leaseMs);
      if (random() < 0.5) return taken;
      return { ...taken, names: (await store.schedules.list(limit)).schedules.map(({ name }) => name) };
    },
  });
  return { ...store, schedules: wrapped(schedules), events: wrapped(store.events), index: wrapped(store.index) };
}

it('starts each time once, or says why not, over any number of workers that die', async () => {
  const run = fc.record({
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    workers: fc.integer({ min: 2, max: 5 }),
    overlap: fc.constantFrom(...OVERLAPS),
    every: fc.constantFrom('1m', '7m', '90s'),
    jitter: fc.constantFrom('0s', '50s'),
    steps: fc.array(fc.integer({ min: 5, max: 40 * 60 }), { minLength: 4, maxLength: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ seed, workers, overlap, every, jitter, steps }) => {
      const random = randomness(seed);
      const world = new ScheduleWorld();
      await world.service.add('one', given({ every, overlap, jitter, catchUp: '15m' }), OPS);
      await world.service.add('two', given({ cron: '*/5 * * * *', overlap, jitter, catchUp: '15m' }), OPS);
      const began = world.now;
      world.skewMs = () => Math.floor((random() - 0.5) * MINUTE_MS);
      for (const seconds of steps) {
        world.now += seconds * 1_000;
        const some = Array.from({ length: workers }, (_, at) => world.worker(mortal(world.store, random, 0.03), (at - 2) * MINUTE_MS));
        await Promise.all(some.map((worker) => worker.run().catch((error: unknown) => expect(error).toBeInstanceOf(Killed))));
        for (const { taskId } of await world.events('one', 'Started')) if (random() < 0.3) await world.end(taskId).catch(() => undefined);
        if (random() < 0.2) await world.service.pause('two', 'for a while', OPS);
        else await world.service.resume('two', OPS);
        if (random() < 0.2) await world.service.run('one', OPS);
      }
      // Nobody dies any more, and the clock is right again.
      world.skewMs = () => 0;
      await world.service.resume('two', OPS);
      for (let sweeps = 0; sweeps < 4; sweeps++) await world.passes(MINUTE_MS);
      expect(world.errors.filter((error) => !(error instanceof Killed))).toEqual([]);
      for (const name of ['one', 'two']) await requireComplete(world, name, began, overlap);
      const starts = (await Promise.all(['one', 'two'].map((name) => world.events(name, 'Started')))).flat();
      const tasks = await world.tasks();
      expect(tasks).toHaveLength(starts.length);
      await world.store.close();
    }),
    { numRuns: 40 },
  );
});

/** Each time up to the next one is there once: as a start, as a skip, or as the one that waits. */
async function requireComplete(world: ScheduleWorld, name: string, began: number, overlap: (typeof OVERLAPS)[number]): Promise<void> {
  const { state } = (await world.store.schedules.read(name))!;
  const { after } = dueTimes(state.definition.rule);
  const due: number[] = [];
  for (let time = after(began)!; time < state.next!; time = after(time)!) due.push(time);
  const starts = (await world.events(name, 'Started')).filter(({ cause }) => cause !== 'run');
  const skips = await world.events(name, 'TimesSkipped');
  const skipped = skips.flatMap(({ from, to }) => due.filter((time) => time >= from && time <= to));
  expect(skipped).toHaveLength(skips.reduce((sum, { count }) => sum + count, 0));
  const waiting = [state.queued, state.starting?.cause === 'run' ? undefined : state.starting?.dueAt].filter((time) => time !== undefined);
  const handled = [...starts.map(({ dueAt }) => dueAt), ...skipped, ...waiting];
  expect(handled.toSorted((left, right) => left - right)).toEqual(due);
  if (overlap === 'allow') expect(skips.filter(({ reason }) => reason === 'overlap')).toEqual([]);
}
