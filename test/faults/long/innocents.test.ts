/** Tests healthy tasks on workers that are killed or stand still: no task is blamed for it. */
import { fileURLToPath } from 'node:url';
import type { TaskId } from '@longhaul/tasks';
import { afterEach, describe, expect, it } from 'vitest';
import { freeze } from '../../support/chaos-process.js';
import { SupervisedWorkers } from '../../support/supervised-workers.js';
import { waitUntil } from '../../support/wait-until.js';
import type { LedgerLine } from '../processes/poison/features.js';

const FEATURES = fileURLToPath(new URL('../processes/poison/features.ts', import.meta.url));
const MAX_MS = 90_000;

const opened: SupervisedWorkers[] = [];

afterEach(async () => {
  for (const workers of opened.splice(0)) await workers.close();
});

async function start(workers: number, env: Readonly<Record<string, string>> = {}): Promise<SupervisedWorkers> {
  const started = await SupervisedWorkers.start({ workers, features: FEATURES, env });
  opened.push(started);
  return started;
}

/** Process id of the worker that holds a task. */
async function holderOf(workers: SupervisedWorkers, taskId: TaskId): Promise<number> {
  const started = (await workers.events(taskId)).findLast(({ type }) => type === 'PassStarted');
  return started?.type === 'PassStarted' ? Number(started.data.workerId.split('-').at(-2)) : 0;
}

/** Longer than two recoveries take on a busy machine, so that no step ends between two blows. */
const STEP_MS = 25_000;

describe('steps whose worker is killed again and again', () => {
  it('are not failed for it, with and without progress in between', { timeout: 6 * MAX_MS }, async () => {
    const workers = await start(2);
    const [reporting, silent] = [
      await workers.create('steps', { count: 1, ms: STEP_MS, reports: 12 }),
      await workers.create('steps', { count: 1, ms: STEP_MS }),
    ];
    const startsOf = async (task: TaskId) => (await workers.noted<LedgerLine>()).filter(({ taskId }) => taskId === task).length;
    // A task may still name the worker that was killed the time before.
    const killed = new Set<number>();
    for (const task of [reporting, silent, reporting, silent, reporting, silent]) {
      const before = await startsOf(task);
      await waitUntil(async () => (await startsOf(task)) >= Math.max(1, before), { timeoutMs: MAX_MS, description: 'the step runs' });
      const holder = await waitUntil(
        async () => {
          const pid = await holderOf(workers, task);
          return workers.processes.find((worker) => worker.pid === pid);
        },
        { timeoutMs: MAX_MS, description: 'a living worker holds the task' },
      );
      holder.child.kill('SIGKILL');
      killed.add(holder.pid);
      await waitUntil(async () => (await startsOf(task)) > before, { timeoutMs: MAX_MS, description: 'the step runs again' });
    }
    for (const task of [reporting, silent]) expect(await workers.outcome(task, STEP_MS + MAX_MS)).toMatchObject({ kind: 'result' });
    expect(workers.deaths).toHaveLength(killed.size);
    expect(killed.size).toBeGreaterThanOrEqual(3);
  });
});

/** Others take a worker for dead when they have not heard of it for 4 s. */
const STOPPED_SECONDS = 7;

describe('a task in the process that a worker forked for it', () => {
  it(
    'starts no step while the worker stands still for so long that others may have the task, is given back by then, and goes on',
    { timeout: MAX_MS },
    async () => {
      const workers = await start(1);
      const task = await workers.create('steps', { count: 300, ms: 20 });
      const starts = () => workers.noted<LedgerLine>();
      await waitUntil(async () => (await starts()).length > 0, { description: 'it runs' });
      const [first] = workers.processes;
      first?.child.kill('SIGKILL');
      const isInFork = async () => (await starts()).some(({ pid }) => pid !== first?.pid);
      await waitUntil(isInFork, { timeoutMs: MAX_MS, description: 'it goes on in a forked process' });
      const [worker] = workers.processes;
      if (worker === undefined) throw new Error('No worker runs.');
      const stoppedAt = Date.now();
      await freeze(worker, STOPPED_SECONDS);
      const goesOnAt = stoppedAt + STOPPED_SECONDS * 1_000;
      const givenBack = (await workers.events(task)).find(({ type, at }) => type === 'PassSuspended' && at > stoppedAt && at < goesOnAt);
      expect(givenBack).toBeDefined();
      const begun = (await starts()).filter(({ at }) => at > stoppedAt && at < goesOnAt);
      expect(begun.length).toBeGreaterThan(10);
      expect(begun.filter(({ at }) => at > (givenBack?.at ?? 0))).toEqual([]);
      expect(await workers.outcome(task, MAX_MS)).toMatchObject({ kind: 'result' });
    },
  );
});

describe('tasks whose worker ends by itself', () => {
  it.each([
    ['it gets a SIGTERM', 'SIGTERM'],
    // They are suspects then, and a process is forked for them first.
    ['a feature ends its process', 'SIGUSR2'],
  ] as const)('go on, when %s', { timeout: MAX_MS }, async (_, signal) => {
    const workers = await start(2, { LONGHAUL_DRAIN_MS: '0' });
    const tasks = await Promise.all(Array.from({ length: 8 }, () => workers.create('steps', { count: 1, ms: 6_000 })));
    const starts = () => workers.noted<LedgerLine>();
    await waitUntil(async () => (await starts()).length === tasks.length, { description: 'all steps run' });
    const [ending] = workers.processes;
    if (ending === undefined) throw new Error('No worker runs.');
    const left = new Set((await starts()).filter(({ pid }) => pid === ending.pid).map(({ taskId }) => taskId));
    expect(left.size).toBeGreaterThan(0);
    const endedAt = Date.now();
    ending.child.kill(signal);
    const again = async () => (await starts()).filter(({ taskId, at }) => left.has(taskId) && at > endedAt);
    await waitUntil(async () => (await again()).length >= left.size, { timeoutMs: MAX_MS, description: 'their steps run again' });
    for (const task of tasks) expect(await workers.outcome(task, MAX_MS)).toMatchObject({ kind: 'result' });
  });
});

describe('tasks whose worker is killed, and that compute one after the other', () => {
  it('are found to be healthy together, though that takes longer than a process may stand still', { timeout: 2 * MAX_MS }, async () => {
    const workers = await start(1);
    // They rest for longer than all of them compute, so all still run when the worker is killed.
    const tasks = await Promise.all(Array.from({ length: 8 }, () => workers.create('compute', { computeMs: 600, ms: 8_000 })));
    await waitUntil(async () => (await workers.noted()).length === tasks.length, { timeoutMs: MAX_MS, description: 'all rest' });
    workers.processes[0]?.child.kill('SIGKILL');
    for (const task of tasks) expect(await workers.outcome(task, MAX_MS)).toMatchObject({ kind: 'result' });
    const trials = (await Promise.all(tasks.map((task) => workers.events(task))))
      .flat()
      .flatMap((event) => (event.type === 'PassStarted' && event.data.trial !== undefined ? [event.data.trial] : []));
    expect(trials).toEqual(tasks.map(() => 'together'));
  });
});
