/**
 * Runs suspects: passes that were running when their process died. One of them may have been the cause, and would take the next worker
 * down, so no suspect runs in a worker's own process. Suspects run together in a process that is made for them, which finds the many
 * healthy ones. If that process dies too, the task whose code ran last in it is named: it runs alone in its own process, before others that
 * wait to run alone. The others run together once more, and again after each death whose named task proves guilty. If a named task is not
 * proved guilty, the others run alone too. If a process with a single task ends or is stopped, it is that task's own fault: the task fails
 * permanently, and says what happened.
 *
 * Only the view of the task is read: its history may be the cause of the death.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { TaskStore } from '../ports/task-store.js';
import type { Clock } from '../ports/clock.js';
import type { Trial } from '../domain/events.js';
import { nextTrial } from '../domain/next-trial.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { restore } from '../domain/projections/project.js';
import type { JobDelivery, JobVerdict, TaskJob } from '../ports/task-queue.js';
import type { TaskObserver } from '../ports/task-observer.js';
import { failPermanently, failureFor } from './fail-permanently.js';
import type { OnTask } from '../write/task-report.js';
import { TaskWriter } from '../write/task-writer.js';
import { verdictOn } from './verdict-on.js';

/** How the run of a suspect ended. */
export type TrialEnd =
  | { readonly kind: 'judged'; readonly verdict: JobVerdict }
  /**
   * Its process ended, or had to be ended. `how` completes the sentence "the process that ran it"; it is absent when the process was killed
   * from outside. `taskId` is the task that ran code then, if that is known.
   */
  | { readonly kind: 'died'; readonly how?: string; readonly taskId?: string };

/** Makes processes in which suspects run. */
export interface TrialProcesses {
  /**
   * Runs one delivery in a process that it shares with other suspects, or alone.
   *
   * @throws Error when no process could take or judge the delivery: it must be delivered again
   */
  run(trial: Trial, job: TaskJob, how: TrialTerms): Promise<TrialEnd>;
}

/** How a trial is run. */
export interface TrialTerms {
  readonly signal: AbortSignal;
  /** The task was named as the cause of a death: it does not wait behind tasks that were not. */
  readonly isNamed: boolean;
  /** Called when a process runs the delivery: it has waited until then. */
  readonly onStart: () => void;
  /** Called when a task that runs alone is cleared: it has run for some time, or has recorded something. */
  readonly onCleared: () => void;
}

/** Dependencies of the handling of suspects. */
export interface SuspectsOptions {
  readonly store: TaskStore;
  readonly processes: TrialProcesses;
  /** Whether a worker has died. */
  readonly hasDied: (workerId: string, signal: AbortSignal) => Promise<boolean>;
  readonly clock?: Clock;
  readonly onError: (error: unknown) => void;
  /** Called for each task that is failed because its processes died. */
  readonly onTask?: OnTask;
  readonly observer?: TaskObserver | undefined;
  /**
   * How long the others wait to learn whether a named task is guilty, when another one is named after it, milliseconds. Its own process is
   * forked at the same time as their next one, and the watchdog ends that at the latest. @defaultValue 20 s
   */
  readonly proofMs?: number;
  /** Whether tasks of the tool leave something behind when they are interrupted. @defaultValue none */
  readonly cleansUp?: (tool: string) => boolean;
}

/** Wait before a suspect runs alone, so that the cause of the last death (memory, a full disk) may pass. */
const ALONE_DELAY_MS = 250;

const PROOF_MS = 20_000;

/** Handles deliveries that were lost before. */
export class Suspects {
  private readonly writer: TaskWriter;
  private readonly clock: Clock;
  /** Whether each task on trial is guilty, when that is known. */
  private readonly proofs = new Map<TaskId, PromiseWithResolvers<boolean>>();
  /** The tasks that wait to be tried, and since when. */
  private readonly waits = new Map<TaskId, number>();

  constructor(private readonly options: SuspectsOptions) {
    const { store, clock = store.clock, onError, onTask, observer, cleansUp } = options;
    this.clock = clock;
    this.writer = new TaskWriter({ store, clock, onError, onTask, observer, cleansUp });
  }

  /** @returns the verdict on the delivery; nothing when it may run like any other */
  async handle(delivery: JobDelivery): Promise<JobVerdict | undefined> {
    if (delivery.lost !== true) return undefined;
    const state = await this.stateOf(delivery.job.taskId);
    const verdict = this.verdictOn(delivery, state);
    if (verdict !== undefined) return verdict;
    if (state === undefined || !(await this.isSuspect(state, delivery.signal))) return undefined;
    return this.try(delivery, state);
  }

  private async isSuspect({ pass, trials }: TaskState, signal: AbortSignal): Promise<boolean> {
    // Its claim was not recorded, so it is unknown which worker held it.
    if (pass.phase !== 'running') return true;
    if (trials.together || trials.alone > 0) return true;
    // A worker that lives only lost its lock for a time.
    return this.options.hasDied(pass.workerId, signal);
  }

  /** Since when the task waits to be tried, epoch milliseconds; nothing when it does not wait. */
  waitsSince(taskId: TaskId): number | undefined {
    return this.waits.get(taskId);
  }

  private async try(delivery: JobDelivery, from: TaskState): Promise<JobVerdict> {
    const { taskId } = delivery.job;
    const proof = Promise.withResolvers<boolean>();
    this.proofs.set(taskId, proof);
    try {
      return await this.tryUntilJudged(delivery, from, proof);
    } finally {
      proof.resolve(false);
      if (this.proofs.get(taskId) === proof) this.proofs.delete(taskId);
      this.waits.delete(taskId);
    }
  }

  private async tryUntilJudged(delivery: JobDelivery, from: TaskState, proof: PromiseWithResolvers<boolean>): Promise<JobVerdict> {
    const { job, signal } = delivery;
    const { taskId } = job;
    const named: Promise<boolean>[] = [];
    let before = from;
    let trial = nextTrial(from);
    let isNamed = false;
    for (;;) {
      const end = await this.run(trial, job, { signal, isNamed, onCleared: () => proof.resolve(false) });
      if (end.kind === 'judged') return end.verdict;
      signal.throwIfAborted();
      this.waits.set(taskId, this.clock());
      const proofOfNamed = this.proofs.get(end.taskId as TaskId)?.promise ?? Promise.resolve(false);
      const after = await this.stateOf(taskId);
      const verdict = this.verdictOn(delivery, after);
      if (verdict !== undefined || after === undefined) return verdict ?? {};
      if (trial === 'alone' && end.how !== undefined && isBlamed(before, after)) {
        await this.blame(taskId, end.how);
        proof.resolve(true);
        return {};
      }
      isNamed = end.taskId === taskId;
      if (trial === 'alone') trial = nextTrial(after);
      else if (end.taskId === undefined || isNamed || !(await areGuilty(named, this.options.proofMs ?? PROOF_MS, signal))) trial = 'alone';
      else named.push(proofOfNamed);
      before = after;
    }
  }

  private async run(trial: Trial, job: TaskJob, terms: Omit<TrialTerms, 'onStart'>): Promise<TrialEnd> {
    const { taskId } = job;
    if (!this.waits.has(taskId)) this.waits.set(taskId, this.clock());
    if (trial === 'alone') await wait(ALONE_DELAY_MS, undefined, { signal: terms.signal });
    return this.options.processes.run(trial, job, { ...terms, onStart: () => void this.waits.delete(taskId) });
  }

  private verdictOn(delivery: JobDelivery, state: TaskState | undefined): JobVerdict | undefined {
    if (state === undefined || state.outcome !== undefined) return {};
    return verdictOn({ job: delivery.job, redelivered: true }, state, this.clock());
  }

  private async stateOf(taskId: TaskId): Promise<TaskState | undefined> {
    const [view] = await this.options.store.events.views([taskId]);
    return view === undefined ? undefined : restore(view);
  }

  private async blame(taskId: TaskId, how: string): Promise<void> {
    const message = `The task failed permanently: the process that ran it ${how}`;
    await failPermanently(this.writer, taskId, failureFor('WORKER_LOST', message));
  }
}

/**
 * Whether all tasks are guilty that were named for earlier deaths of a process. A name is no proof: it is the task whose code ran last. The
 * first one is believed; another one is believed when those before it have proved guilty.
 */
async function areGuilty(named: readonly Promise<boolean>[], limitMs: number, signal: AbortSignal): Promise<boolean> {
  if (named.length === 0) return true;
  const answered = new AbortController();
  const limit = wait(limitMs, [false], { signal: AbortSignal.any([signal, answered.signal]) });
  try {
    return (await Promise.race([Promise.all(named), limit])).every(Boolean);
  } finally {
    answered.abort();
    limit.catch(() => undefined);
  }
}

/** This does not apply to a pass that came further before its process died. One that was not even started there died of its history. */
function isBlamed(before: TaskState, after: TaskState): boolean {
  return after.trials.alone > 0 || after.epoch === before.epoch;
}
