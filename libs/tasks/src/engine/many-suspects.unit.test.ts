/** Tests tasks that end their process on trial beside any number of innocent ones that run for long. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskJob } from '../ports/task-queue.js';
import { Suspects, type TrialEnd, type TrialProcesses } from './suspects.js';

/** How a task is in its process: it runs for ever, it ends the process, or it does so and another task's code seems to be the cause. */
type Nature = 'innocent' | 'guilty' | 'sly';

const HOW = 'ended with code 137';

/** Processes in memory. A shared one dies soon after a guilty task has begun in it. An innocent task never ends. */
class Processes implements TrialProcesses {
  readonly starts = new Map<TaskId, number>();
  readonly alone: TaskId[] = [];
  #shared: { taskId: TaskId; end: (end: TrialEnd) => void }[] = [];

  constructor(private readonly natures: ReadonlyMap<TaskId, Nature>) {}

  run: TrialProcesses['run'] = (trial, { taskId }, { onStart }) => {
    onStart();
    this.starts.set(taskId, (this.starts.get(taskId) ?? 0) + 1);
    const { promise, resolve } = Promise.withResolvers<TrialEnd>();
    if (trial === 'alone') {
      this.alone.push(taskId);
      if (this.natures.get(taskId) !== 'innocent') resolve({ kind: 'died', how: HOW });
      return promise;
    }
    setImmediate(() => this.#strike());
    this.#shared.push({ taskId, end: resolve });
    return promise;
  };

  /** The first guilty one ends the process. */
  #strike(): void {
    const is = (nature: Nature) => this.#shared.find(({ taskId }) => this.natures.get(taskId) === nature);
    const guilty = is('guilty');
    const named = guilty ?? is('innocent');
    if (guilty === undefined && is('sly') === undefined) return;
    for (const { end } of this.#shared.splice(0)) end({ kind: 'died', ...(named !== undefined && { taskId: named.taskId }) });
  }
}

/** Has all tasks lose their worker at once. */
async function tried(natures: readonly Nature[]) {
  const engine = new Engine(async () => 'done');
  engine.limits = { concurrentTasks: 1_000, tasksPerMinute: 1_000 };
  const ids: TaskId[] = [];
  for (const _ of natures) ids.push(await engine.create());
  const processes = new Processes(new Map(ids.map((id, index) => [id, natures[index] ?? 'innocent'])));
  const suspects = new Suspects({
    store: engine.store,
    processes,
    hasDied: async () => true,
    proofMs: 500,
    clock: () => engine.now,
    onError: (error) => engine.errors.push(error),
  });
  const stopped = new AbortController();
  const jobs: TaskJob[] = engine.jobs.map(({ job }) => job);
  const all = jobs.map((job) => suspects.handle({ job, redelivered: true, lost: true, signal: stopped.signal }));
  for (const one of all) one.catch(() => undefined);
  const of = (nature: Nature) => ids.filter((_, index) => natures[index] === nature);
  return {
    engine,
    processes,
    suspects,
    of,
    failed: () =>
      waitUntil(async () => (await Promise.all([...of('guilty'), ...of('sly')].map((id) => engine.outcome(id)))).every(Boolean), {
        description: 'every guilty task has failed',
      }),
    stop: () => stopped.abort(),
  };
}

it(
  'any number of tasks that end their process fail beside innocent ones, which never take a place alone',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...Array<Nature>(40).fill('innocent'), ...Array<Nature>(6).fill('guilty')]),
        async (natures) => {
          const trial = await tried(natures);
          await trial.failed();
          expect(trial.processes.alone.toSorted()).toEqual(trial.of('guilty').toSorted());
          for (const id of trial.of('innocent')) expect(await trial.engine.outcome(id)).toBeUndefined();
          trial.stop();
        },
      ),
      { numRuns: 5 },
    );
  },
);

it('a task whose deaths name others runs alone after the second one, and the others with it', { timeout: 60_000 }, async () => {
  const trial = await tried(['innocent', 'innocent', 'sly', 'innocent']);
  await trial.failed();
  const [sly] = trial.of('sly');
  expect(trial.processes.starts.get(sly as TaskId)).toBeLessThanOrEqual(3);
  trial.stop();
});

it('does not wait for the proof against a task that is cleared', async () => {
  const engine = new Engine(async () => 'done');
  const ids = [await engine.create(), await engine.create()];
  const trials: string[] = [];
  const run: TrialProcesses['run'] = async (trial, { taskId }, { onCleared }) => {
    trials.push(`${ids.indexOf(taskId)} ${trial}`);
    if (trial === 'together') return { kind: 'died', ...(ids[0] !== undefined && { taskId: ids[0] }) };
    onCleared();
    return new Promise(() => undefined);
  };
  const options = { store: engine.store, hasDied: async () => true, clock: () => engine.now, onError: () => undefined };
  const suspects = new Suspects({ ...options, processes: { run }, proofMs: 600_000 });
  const signal = new AbortController().signal;
  for (const { job } of engine.jobs) void suspects.handle({ job, redelivered: true, lost: true, signal });
  await waitUntil(() => trials.includes('1 alone'), { description: 'the other one runs alone' });
  expect(trials.filter((trial) => trial.startsWith('1'))).toEqual(['1 together', '1 together', '1 alone']);
});

it('says since when a task waits for a process', async () => {
  const engine = new Engine(async () => 'done');
  const taskId = await engine.create();
  const job = engine.jobs[0]?.job as TaskJob;
  const given = Promise.withResolvers<() => void>();
  const run: TrialProcesses['run'] = (_trial, _job, { onStart }) => {
    given.resolve(onStart);
    return new Promise(() => undefined);
  };
  const options = { store: engine.store, hasDied: async () => true, clock: () => 7, onError: () => undefined };
  const suspects = new Suspects({ ...options, processes: { run } });
  void suspects.handle({ job, redelivered: true, lost: true, signal: new AbortController().signal });
  const start = await given.promise;
  expect(suspects.waitsSince(taskId)).toBe(7);
  start();
  expect(suspects.waitsSince(taskId)).toBeUndefined();
});
