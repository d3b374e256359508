/**
 * Runs suspects: passes that were running when their process died. One of them may have been the cause, and would take the next worker
 * down, so no suspect runs in a worker's own process. Suspects run together in a process that is made for them, which finds the many
 * healthy ones. If that process dies too, each runs alone in its own process, except passes that are known not to have run when it died:
 * they try once more together. If a process with a single task ends or is stopped, it is that task's own fault: the task fails permanently,
 * and says what happened.
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
  run(trial: Trial, job: TaskJob, signal: AbortSignal): Promise<TrialEnd>;
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
  /** Whether tasks of the tool leave something behind when they are interrupted. @defaultValue none */
  readonly cleansUp?: (tool: string) => boolean;
}

/** Wait before a suspect runs alone, so that the cause of the last death (memory, a full disk) may pass. */
const ALONE_DELAY_MS = 250;

/** Handles deliveries that were lost before. */
export class Suspects {
  private readonly writer: TaskWriter;
  private readonly clock: Clock;

  constructor(private readonly options: SuspectsOptions) {
    const { store, clock = Date.now, onError, onTask, observer, cleansUp } = options;
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

  private async try(delivery: JobDelivery, from: TaskState): Promise<JobVerdict> {
    const { job, signal } = delivery;
    let before = from;
    let trial = nextTrial(from);
    let deaths = 0;
    for (;;) {
      if (trial === 'alone') await wait(ALONE_DELAY_MS, undefined, { signal });
      const end = await this.options.processes.run(trial, job, signal);
      if (end.kind === 'judged') return end.verdict;
      signal.throwIfAborted();
      const after = await this.stateOf(job.taskId);
      const verdict = this.verdictOn(delivery, after);
      if (verdict !== undefined || after === undefined) return verdict ?? {};
      if (trial === 'alone' && end.how !== undefined && isBlamed(before, after)) {
        await this.blame(job.taskId, end.how);
        return {};
      }
      trial = trial === 'alone' ? nextTrial(after) : trialAfter(end.taskId, job.taskId, deaths++);
      before = after;
    }
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
 * After the death of a process that it shared: alone, unless it is known which other task's code ran then. That is no
 * proof, so it is believed once.
 */
function trialAfter(ranLast: string | undefined, taskId: string, deathsBefore: number): Trial {
  return ranLast === undefined || ranLast === taskId || deathsBefore > 0 ? 'alone' : 'together';
}

/** This does not apply to a pass that came further before its process died. One that was not even started there died of its history. */
function isBlamed(before: TaskState, after: TaskState): boolean {
  return after.trials.alone > 0 || after.epoch === before.epoch;
}
