import type { TaskId } from '../domain/task-id.js';
import type { Milliseconds } from '../domain/milliseconds.js';

/** Due entries that this process has taken: it looks at their tasks for the time of a lease. */
export interface TakenEntries {
  readonly shard: number;
  readonly taskIds: readonly TaskId[];
  /** The date that the entries have since; an entry with another date was dated since then. */
  readonly lease: number;
  /** About how many entries there are in all shards. */
  readonly total: number;
}

/** The verdict on a taken entry: it is due again in this many milliseconds, or removed. */
export type AgendaVerdict = Milliseconds | 'remove';

/** Which unfinished tasks must be looked at now: those without an entry, or all of them. */
export type Suspicion = 'missing' | 'all';

/** Called with some of all tasks. */
export type OnTasks = (taskIds: readonly TaskId[]) => Promise<void>;

/**
 * Holds one dated entry for each unfinished task: the time by which a worker must look at it next. The entry is written with the append
 * that changes it, or before it. So if a process dies afterwards, or a job is lost, a look at the task finds it. Writers only bring an
 * entry forward; only a look at the task postpones or removes it, and only if it was not dated since it was taken. Times are by the store's
 * clock, never by the clock of a process.
 *
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface TaskAgenda {
  /** Entries are spread over shards, numbered from 0. */
  readonly shards: number;
  /** Makes sure that the task is looked at in `inMs` at the latest. */
  date(taskId: TaskId, inMs: Milliseconds): Promise<void>;
  /** How many tasks have an entry: those that have not ended, and a few that just ended. */
  count(): Promise<number>;
  /** Removes the entry of an ended task soon; an entry that stays is removed by the next look. */
  remove(taskId: TaskId): void;
  /** Removes at once the entries that are to go soon. */
  flush(): Promise<void>;
  /** Takes up to `limit` due entries, the oldest ones, for `leaseMs`; they are due again after that. */
  take(shard: number, limit: number, leaseMs: Milliseconds): Promise<TakenEntries>;
  /** Gives taken entries their next date, or removes them; those without a verdict keep the lease. */
  settle(taken: TakenEntries, verdicts: ReadonlyMap<TaskId, AgendaVerdict>): Promise<void>;
  /** Makes unfinished tasks due now. */
  ensure(taskIds: readonly TaskId[], suspicion: Suspicion): Promise<void>;
  /**
   * Looks for unfinished tasks without an entry, a bounded part at each call. It does so at least every ten minutes, and after each event
   * in which the store may have lost what it had acknowledged. Processes share the work.
   *
   * @param onTasks called with tasks that are met on the way, ended ones too
   */
  heal(onTasks?: OnTasks): Promise<void>;
}
