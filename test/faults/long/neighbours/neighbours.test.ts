/** Tests the effect on other tasks of a task with a history that grows to its limit. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JsonObject, TaskId } from '@longhaul/tasks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SupervisedWorkers } from '../../../support/supervised-workers.js';
import { waitUntil } from '../../../support/wait-until.js';

/** Between two neighbours, which are not to wait for each other. */
const APART_MS = 5;
const NEIGHBOURS = 2_000;
const PART_BYTES = 1024 * 1024;
const ROUNDS = 3;
const MAX_MS = 120_000;
/** Twice: the p99 of one round without a growing task may exceed another round's by that much. */
const MOST = 2;

let workers: SupervisedWorkers;

beforeAll(async () => {
  workers = await SupervisedWorkers.start({ workers: 1, features: fileURLToPath(new URL('./features.ts', import.meta.url)) });
});
afterAll(() => workers.close());

async function tookMs(ids: readonly TaskId[]): Promise<readonly number[]> {
  const views = await waitUntil(
    async () => {
      const all = await workers.store.events.views(ids);
      return all.every((view) => view?.endedAt !== undefined) && all;
    },
    { timeoutMs: MAX_MS, description: 'all neighbours have ended' },
  );
  return views.map((view) => (view?.endedAt ?? Infinity) - (view?.createdAt ?? 0)).toSorted((a, b) => a - b);
}

/** Creates small tasks for as long as `until` wants, at least some. @returns the time that 99 of 100 took at most, milliseconds */
async function p99(count: number, until: () => Promise<boolean> = async () => true): Promise<number> {
  const ids: TaskId[] = [];
  while (ids.length < count || !(await until())) {
    ids.push(await workers.create('noop', {}));
    await wait(APART_MS);
  }
  const took = await tookMs(ids);
  return took[Math.floor(took.length * 0.99)] ?? Infinity;
}

it('of a task that grows to its limit, 99 of 100 neighbours notice no more than twice their time', { timeout: 5 * MAX_MS }, async () => {
  const grow = (args: JsonObject): Promise<TaskId> => workers.create('grow', args);
  await p99(NEIGHBOURS / 2); // Warms up.
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const alone = await p99(NEIGHBOURS);
    const growing = await grow({ bytes: PART_BYTES });
    const beside = await p99(NEIGHBOURS, async () => {
      const [view] = await workers.store.events.views([growing]);
      return view?.endedAt !== undefined;
    });
    const outcome = await workers.outcome(growing, MAX_MS);
    expect(outcome).toMatchObject({ kind: 'error', error: { data: { reason: 'HISTORY_TOO_LARGE' } } });
    process.stdout.write(`neighbours: 99 of 100 took ${alone} ms at most alone, ${beside} ms beside a task that grew to its limit\n`);
    ratios.push(beside / alone);
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(MOST);
});
