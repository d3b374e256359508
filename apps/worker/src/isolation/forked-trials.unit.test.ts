import { setImmediate as turn } from 'node:timers/promises';
import { type TaskId, type TrialEnd, WorkerLease } from '@longhaul/tasks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ForkedProcess, ForkedTrials } from './forked-trials.js';
import type { RunTerms } from './trial-process.js';

const CLEARED_AFTER_MS = 60_000;
const signal = new AbortController().signal;

let running: Map<string, { readonly terms: RunTerms; readonly end: (end: TrialEnd) => void }>;
let trials: ForkedTrials;
let cleared: string[];

/** A process that runs each task until the test ends it. */
function fork({ memoryBytes }: { readonly memoryBytes: number }): ForkedProcess {
  return {
    memoryBytes,
    residentBytes: 0,
    isOver: false,
    active: 0,
    release: () => undefined,
    stop: async () => undefined,
    run: ({ taskId }, terms) =>
      new Promise((resolve) => {
        running.set(taskId, { terms, end: resolve });
        terms.onStart();
      }),
  };
}

/** Has a task run alone, when there is a place. */
async function alone(name: string, isNamed = false): Promise<void> {
  const ended = trials.run(
    'alone',
    { taskId: name as TaskId, pass: 1 },
    { signal, isNamed, onStart: () => undefined, onCleared: () => cleared.push(name) },
  );
  void ended.finally(() => running.delete(name)).catch(() => undefined);
  await turn();
}

const names = (): readonly string[] => [...running.keys()];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  running = new Map();
  cleared = [];
  const memory = { memoryBytes: 1024, maxBlockMs: 1_000 };
  const worker = { workerId: 'w', version: '1', lease: WorkerLease.forever() };
  trials = new ForkedTrials({ ...worker, ...memory, processes: 2, clearedAfterMs: CLEARED_AFTER_MS }, fork);
});
afterEach(async () => {
  vi.useRealTimers();
  await trials.close();
});

describe('the places of tasks that run alone', () => {
  it('are as many as there may be processes, and pass on when a task ends', async () => {
    for (const name of ['a', 'b', 'c']) await alone(name);
    expect(names()).toEqual(['a', 'b']);
    running.get('a')?.end({ kind: 'judged', verdict: {} });
    await turn();
    expect(names()).toEqual(['b', 'c']);
  });

  it('pass on when a task has run for long enough, which stays in its process', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await alone(name);
    vi.advanceTimersByTime(CLEARED_AFTER_MS - 1);
    await turn();
    expect(names()).toEqual(['a', 'b']);
    vi.advanceTimersByTime(1);
    await turn();
    expect(names()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('pass on when a task has recorded something', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await alone(name);
    running.get('b')?.terms.onRecorded?.();
    running.get('b')?.terms.onRecorded?.();
    await turn();
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(cleared).toEqual(['b']);
  });

  it('go to a task first that was named as the cause of a death', async () => {
    for (const name of ['a', 'b', 'c']) await alone(name);
    await alone('named', true);
    await alone('also named', true);
    running.get('a')?.end({ kind: 'judged', verdict: {} });
    await turn();
    expect(names()).toEqual(['b', 'named']);
    running.get('named')?.end({ kind: 'judged', verdict: {} });
    await turn();
    expect(names()).toEqual(['b', 'also named']);
  });
});
