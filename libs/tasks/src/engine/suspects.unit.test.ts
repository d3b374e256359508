import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import type { Trial } from '../domain/events.js';
import type { TaskId } from '../domain/task-id.js';
import type { JobVerdict, TaskJob } from '../ports/task-queue.js';
import { PassJournal } from '../replay/pass-journal.js';
import { HistoryRoom } from '../history/history-room.js';
import { loadHistory } from '../history/load-history.js';
import { Suspects, type TrialEnd } from './suspects.js';
import { TaskWriter } from '../write/task-writer.js';

/** A trial: it may run the pass, and says how it ended. */
type Act = (run: () => Promise<void>, job: TaskJob) => Promise<TrialEnd>;

const judged: TrialEnd = { kind: 'judged', verdict: {} };
const alive = new AbortController().signal;

/** A task that lost its worker in its step, or before anything was recorded, and processes in which it is tried. */
async function suspect({ claimed = true, holderDied = true, acts }: { claimed?: boolean; holderDied?: boolean; acts: readonly Act[] }) {
  const reached = Promise.withResolvers<void>();
  let dies = claimed;
  const engine = new Engine(async (context) =>
    context.step('work', async () => {
      if (!dies) return 'done';
      reached.resolve();
      return new Promise<string>(() => undefined);
    }),
  );
  const taskId = await engine.create();
  const job = claimed ? await engine.crashing((crash) => void reached.promise.then(crash)) : engine.jobs.shift()?.job;
  if (job === undefined) throw new Error('There is no job.');
  dies = false;
  const trials: Trial[] = [];
  const processes = {
    run: async (trial: Trial, given: TaskJob): Promise<TrialEnd> => {
      const act = acts[trials.length];
      trials.push(trial);
      const run = async (): Promise<void> => {
        await engine.worker().handle({ job: given, redelivered: true, trial, signal: alive });
      };
      return act === undefined ? judged : act(run, given);
    },
  };
  const suspects = new Suspects({
    store: engine.store,
    processes,
    hasDied: async () => holderDied,
    clock: () => engine.now,
    onError: (error) => engine.errors.push(error),
  });
  const deliver = (lost = true): Promise<JobVerdict | undefined> => suspects.handle({ job, redelivered: true, lost, signal: alive });
  return { engine, taskId, trials, deliver };
}

/** The process records the start and dies in the step. */
const dieInStep =
  (engineOf: () => Engine, end: Partial<TrialEnd & { kind: 'died' }>, trial: Trial): Act =>
  async (_run, { taskId }) => {
    await recordStart(engineOf(), taskId, trial);
    return { kind: 'died', ...end };
  };

/** Records the start of a trial, as the process does before the author's code is entered. */
async function recordStart(engine: Engine, taskId: TaskId, trial: Trial): Promise<PassJournal> {
  const writer = new TaskWriter({ store: engine.store, clock: () => engine.now, onError: () => undefined });
  const history = await loadHistory(engine.store.events, new HistoryRoom(), taskId, alive);
  const pass = Math.max(1, history.state.passNumber);
  const journal = new PassJournal(writer, taskId, history, { type: 'ClaimPass', at: engine.now, pass, workerId: 'heir', trial });
  await journal.record([], alive);
  return journal;
}

async function failureOf({ engine, taskId }: { engine: Engine; taskId: TaskId }): Promise<unknown> {
  const outcome = await engine.outcome(taskId);
  return outcome?.kind === 'error' ? outcome.error : outcome;
}

describe('a delivery', () => {
  it('that was never lost is no suspect', async () => {
    const { deliver, trials } = await suspect({ acts: [] });
    expect(await deliver(false)).toBeUndefined();
    expect(trials).toEqual([]);
  });

  it('that was lost while its worker lives is no suspect', async () => {
    const { deliver, trials } = await suspect({ holderDied: false, acts: [] });
    expect(await deliver()).toBeUndefined();
    expect(trials).toEqual([]);
  });

  it('of a task that has ended is done', async () => {
    const { deliver, trials, engine, taskId } = await suspect({ acts: [] });
    await engine.cancel(taskId);
    expect(await deliver()).toEqual({});
    expect(trials).toEqual([]);
  });
});

describe('a suspect', () => {
  it.each([true, false])('that is healthy ends where it runs together with others; its claim was recorded: %s', async (claimed) => {
    const run: Act = async (run) => {
      await run();
      return judged;
    };
    const { deliver, trials, engine, taskId } = await suspect({ claimed, acts: [run] });
    expect(await deliver()).toEqual({});
    expect(trials).toEqual(['together']);
    expect(await engine.value(taskId)).toBe('done');
  });

  it('whose shared process dies runs alone, and fails with how that one ended', async () => {
    let engine: Engine | undefined;
    const engineOf = (): Engine => engine as Engine;
    const acts = [
      dieInStep(engineOf, { how: 'ended with code 1' }, 'together'),
      dieInStep(engineOf, { how: 'ran out of memory' }, 'alone'),
    ];
    const tried = await suspect({ acts });
    ({ engine } = tried);
    expect(await tried.deliver()).toEqual({});
    expect(tried.trials).toEqual(['together', 'alone']);
    expect(await failureOf(tried)).toEqual({
      code: -32603,
      message: 'The task failed permanently: the process that ran it ran out of memory',
      data: { reason: 'WORKER_LOST' },
    });
  });

  it('is not blamed when its own process was killed from outside, but for the third time', async () => {
    let engine: Engine | undefined;
    const engineOf = (): Engine => engine as Engine;
    const killed = (trial: Trial): Act => dieInStep(engineOf, {}, trial);
    const claim: Act = async (run) => {
      await run();
      return judged;
    };
    const tried = await suspect({ acts: [killed('together'), killed('alone'), killed('alone'), claim] });
    ({ engine } = tried);
    await tried.deliver();
    expect(tried.trials).toEqual(['together', 'alone', 'alone', 'alone']);
    expect(await failureOf(tried)).toMatchObject({ data: { reason: 'WORKER_LOST' }, message: expect.stringContaining('nothing is known') });
  });

  it('whose history its own process dies of is blamed, though no start was recorded', async () => {
    const dies: Act = async () => ({ kind: 'died', how: 'ran out of memory' });
    const tried = await suspect({ acts: [dies, dies] });
    await tried.deliver();
    expect(await failureOf(tried)).toMatchObject({ data: { reason: 'WORKER_LOST' } });
  });

  it('tries once more together when the code of another task ran as the shared process died', async () => {
    const neighbour: Act = async () => ({ kind: 'died', how: 'ended with code 1', taskId: 'another' });
    const tried = await suspect({ acts: [neighbour, neighbour] });
    await tried.deliver();
    expect(tried.trials).toEqual(['together', 'together', 'alone']);
  });

  it('that came further before its own process died is tried like a new one', async () => {
    let engine: Engine | undefined;
    const comesFurther: Act = async (_run, { taskId }) => {
      const journal = await recordStart(engine as Engine, taskId, 'alone');
      await journal.record([{ type: 'ReportProgress', at: 0, epoch: journal.epoch, progress: 1, seq: 1 }], alive);
      return { kind: 'died', how: 'ended with code 1' };
    };
    const dies: Act = async () => ({ kind: 'died', how: 'ended with code 1' });
    const tried = await suspect({ acts: [dies, comesFurther] });
    ({ engine } = tried);
    await tried.deliver();
    expect(tried.trials).toEqual(['together', 'alone', 'together']);
    expect(await tried.engine.outcome(tried.taskId)).toBeUndefined();
  });
});
