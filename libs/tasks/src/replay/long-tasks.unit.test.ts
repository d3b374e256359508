/**
 * Tests that the cost of an operation does not depend on the number of operations. Others use the machine too, so CPU time is measured: the
 * fastest of many short stretches counts, and the steadiest of several runs.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { scaled } from '../../../../test/support/scale.js';
import type { TaskContext } from './task-context.js';

/** Together with the events of passes, within the limit of a task. */
const STEPS = 9_000;
const PART = 1_000;
const CHUNK = 100;
const TRIES = 6;
/** Quadratic work makes it six, a copy of the state for each batch alone. */
const MOST_GROWTH = scaled(2, 1.2);

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The smallest of what some runs measured, or the first that is small enough. */
async function steadiest(measure: () => Promise<number>, enough: number): Promise<number> {
  let smallest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && smallest > enough; tries++) smallest = Math.min(smallest, await measure());
  return smallest;
}

/** Takes the steps one after the other. @returns how much longer one of the last took than one of the first */
async function growthOver(context: TaskContext, steps = STEPS): Promise<number> {
  const tookMs: number[] = [];
  for (let first = 0; first < steps; first += CHUNK) {
    const startedAt = cpuMs();
    for (let step = first; step < first + CHUNK; step++) await context.step(`step ${step}`, () => step);
    tookMs.push(cpuMs() - startedAt);
  }
  const chunks = PART / CHUNK;
  return Math.min(...tookMs.slice(-chunks)) / Math.min(...tookMs.slice(0, chunks));
}

/** Runs a function once, and again in a second pass. @returns what it returned in each */
async function inTwoPasses(run: (context: TaskContext) => Promise<number>): Promise<readonly [first: number, replay: number]> {
  const returned: number[] = [];
  const engine = new Engine(async (context) => {
    returned.push(await run(context));
    await context.sleep('until the second pass', 1);
  });
  await engine.create();
  await engine.settle();
  const [first = Number.NaN, replay = Number.NaN] = returned;
  return [first, replay];
}

/** Milliseconds of garbage collection so far. */
let collectedMs = 0;
const collections = new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collectedMs += duration;
});

/** CPU time of this thread, milliseconds, without garbage collection: many steps at once are collected when they are old, which is dearer. */
async function ownCpuMs(): Promise<number> {
  // Collections are reported in a later turn.
  await turn();
  for (const { duration } of collections.takeRecords()) collectedMs += duration;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000 - collectedMs;
}

/** How long the steps take side by side, milliseconds. */
const timeOfAll = (steps: number) =>
  inTwoPasses(async (context) => {
    const startedAt = await ownCpuMs();
    await Promise.all(
      Array.from({ length: steps }, (_, step) => context.step(`step ${step}`, () => new Promise<void>((resolve) => setImmediate(resolve)))),
    );
    return (await ownCpuMs()) - startedAt;
  });

describe('a task of 9,000 steps', () => {
  beforeAll(async () => {
    collections.observe({ entryTypes: ['gc'] });
    // The work of the compiler is not measured.
    await inTwoPasses((context) => growthOver(context, 3 * PART));
  });
  afterAll(() => collections.disconnect());

  it('takes as long for its last thousand as for its first', async () => {
    expect(await steadiest(async () => (await inTwoPasses(growthOver))[0], MOST_GROWTH)).toBeLessThanOrEqual(MOST_GROWTH);
  });

  it('is replayed as fast at its end as at its beginning', async () => {
    expect(await steadiest(async () => (await inTwoPasses(growthOver))[1], MOST_GROWTH)).toBeLessThanOrEqual(MOST_GROWTH);
  });

  it.each([
    ['runs', 0],
    ['is replayed', 1],
  ] as const)('side by side %s in thrice the time of 3,000', async (_, pass) => {
    const ratio = async (): Promise<number> => (await timeOfAll(STEPS))[pass] / (await timeOfAll(STEPS / 3))[pass];
    // Quadratic work would make it nine times.
    const most = scaled(6, 4.5);
    expect(await steadiest(ratio, most)).toBeLessThanOrEqual(most);
  });
});
