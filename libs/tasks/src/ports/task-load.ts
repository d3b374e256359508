import type { TaskJob } from './task-queue.js';

/** How many jobs there are now. */
export interface QueueDepth {
  /** Could be taken at once. */
  readonly waiting: number;
  /** Could be taken if they were not paused; they need no more workers. */
  readonly setAside: number;
  /** Are due later. */
  readonly delayed: number;
  /** Are held by workers. */
  readonly running: number;
  /**
   * For how long the one that has waited longest has done so, without jobs that are set aside, milliseconds; an estimate if lanes are many.
   * Absent when no job waits.
   */
  readonly oldestWaitMs?: number;
}

/** Entries of the agenda with a date in the past. */
export interface OverdueEntries {
  readonly count: number;
  /** For how long the oldest is due, milliseconds; absent without one. */
  readonly oldestMs?: number;
}

/** What holds a job back that waits. */
export interface HeldBack {
  /** `key` and `rate`: the limits of its key, of running passes and of tasks that begin. `tool`, `shared` and `tenant`: other limits. */
  readonly by: 'key' | 'rate' | 'tool' | 'shared' | 'tenant';
  /** How many jobs stand before it in the line of this limit. */
  readonly ahead: number;
}

/** How much there is to do, for operators. All methods reject with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface TaskLoad {
  queue(): Promise<QueueDepth>;
  /** Due entries that no worker has looked at yet: none or few while workers keep up. */
  overdue(): Promise<OverdueEntries>;
  /** Which limit holds back the job of a pass; nothing when none does. */
  heldBack(job: Pick<TaskJob, 'taskId' | 'pass'>): Promise<HeldBack | undefined>;
}
