/** Tests tasks that end every process that runs them, next to innocent ones, on two workers under a supervisor. */
import { fileURLToPath } from 'node:url';
import type { TaskId } from '@longhaul/tasks';
import { fold } from '@longhaul/tasks/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { scaled } from '../../../support/scale.js';
import { SupervisedWorkers } from '../../../support/supervised-workers.js';
import { waitUntil } from '../../../support/wait-until.js';
import { type LedgerLine, type Poison, THROW_WHEN_SIGNALLED } from './features.js';

const FEATURES = fileURLToPath(new URL('./features.ts', import.meta.url));
const MIB = 1024 * 1024;
const INNOCENTS = 16;
const MAX_MS = 60_000;

const ENV = {
  LONGHAUL_MAX_BLOCK_MS: '3000',
  LONGHAUL_DRAIN_MS: '2000',
  LONGHAUL_ISOLATED_MEMORY_BYTES: String(320 * MIB),
  // The heap of a worker, and of what it forks: small enough to be filled quickly.
  NODE_OPTIONS: `--max-old-space-size=96 --import ${THROW_WHEN_SIGNALLED}`,
};

const HOW: Readonly<Record<Poison, string>> = {
  loop: 'stopped answering',
  exit: 'ended with code 1',
  abort: 'was killed by SIGABRT',
  stray: 'ended with code 1',
  heap: 'ran out of memory',
  buffers: 'ran out of memory',
};

let workers: SupervisedWorkers;

afterEach(() => workers.close());

async function startsOf(taskId: TaskId): Promise<number> {
  return (await workers.noted<LedgerLine>()).filter((line) => line.taskId === taskId).length;
}

/** Runs a poison with innocents, and checks what must become of them. @returns how many workers ended */
async function run(poison: Poison, inStep: boolean): Promise<number> {
  // Before its heap is full, a process is busy for some time with looking for what it could free.
  const env = poison === 'heap' ? { ...ENV, LONGHAUL_MAX_BLOCK_MS: '10000' } : ENV;
  workers = await SupervisedWorkers.start({ workers: 2, features: FEATURES, env });
  const innocents = await Promise.all(Array.from({ length: INNOCENTS }, () => workers.create('steps', { count: 3, ms: 1_000 })));
  const poisoned = await workers.create('poison', { poison, inStep });
  const outcome = await workers.outcome(poisoned, MAX_MS);
  expect(outcome).toEqual({
    kind: 'error',
    error: {
      code: -32603,
      message: `The task failed permanently: the process that ran it ${HOW[poison]}`,
      data: { reason: 'WORKER_LOST' },
    },
  });
  // An error without an owner strikes after the code of another task has run. That task is suspected first.
  expect(await startsOf(poisoned)).toBeLessThanOrEqual(poison === 'stray' ? 4 : 3);
  for (const innocent of innocents) expect(await workers.outcome(innocent, MAX_MS)).toMatchObject({ kind: 'result' });
  return workers.deaths.length;
}

describe('a task that ends its process', () => {
  it.each<{ poison: Poison; inStep: boolean; place: string }>(
    scaled<readonly Poison[]>(['exit'], ['exit', 'stray', 'loop', 'abort', 'heap', 'buffers']).flatMap((poison) => [
      { poison, inStep: false, place: 'before its first step' },
      ...scaled([], [{ poison, inStep: true, place: 'in a step' }]),
    ]),
  )('by $poison $place fails alone, and takes one worker with it', { timeout: 2 * MAX_MS }, async ({ poison, inStep }) => {
    expect(await run(poison, inStep)).toBe(1);
    // Its word, which only a process can give that ends by itself.
    expect(/"left":(true|false)/.exec(await workers.printed())?.[1]).toBe(String(poison === 'exit' || poison === 'stray'));
  });

  it('fails beside long innocents, however many of both there are', { timeout: 2 * MAX_MS }, async () => {
    workers = await SupervisedWorkers.start({ workers: 2, features: FEATURES, env: ENV });
    const innocents = await Promise.all(Array.from({ length: scaled(12, 40) }, () => workers.create('steps', { count: 1, ms: 3_600_000 })));
    const isRunning = async () => (await workers.noted<LedgerLine>()).length >= innocents.length;
    await waitUntil(isRunning, { timeoutMs: MAX_MS, description: 'all innocents run' });
    const poisoned = await Promise.all(
      Array.from({ length: scaled(3, 6) }, () => workers.create('poison', { poison: 'exit', inStep: true })),
    );
    for (const outcome of await Promise.all(poisoned.map((taskId) => workers.outcome(taskId, MAX_MS))))
      expect(outcome).toMatchObject({ kind: 'error', error: { data: { reason: 'WORKER_LOST' } } });
    for (const innocent of innocents) expect(fold(await workers.events(innocent)).outcome).toBeUndefined();
  });

  it('that was called by another one fails for that one, which is not suspected', { timeout: 2 * MAX_MS }, async () => {
    workers = await SupervisedWorkers.start({ workers: 2, features: FEATURES, env: ENV });
    const caller = await workers.create('calls-poison', { poison: 'exit', inStep: true });
    expect(await workers.outcome(caller, MAX_MS)).toMatchObject({
      kind: 'result',
      result: { content: [{ text: 'CHILD_FAILED: WORKER_LOST' }] },
    });
    // One worker has died of the called task, and none of its caller, which runs again only to get that result.
    expect(workers.deaths).toHaveLength(1);
    expect(await startsOf(caller)).toBe(2);
  });
});
