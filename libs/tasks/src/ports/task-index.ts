import type { Milliseconds } from '../domain/milliseconds.js';
import type { TaskId } from '../domain/task-id.js';

/** A page of tasks, newest first, and where the next page starts. */
export interface TaskIndexPage {
  readonly tasks: readonly TaskIndexPosition[];
  readonly next?: TaskIndexPosition;
}

/** A position in an owner's list: the creation time and id of the last task of a page. */
export interface TaskIndexPosition {
  readonly createdAt: number;
  readonly taskId: TaskId;
}

/** A task that is about to be created. */
export interface Registration extends TaskIndexPosition {
  /** The size of its history at the start. @defaultValue nothing worth noting */
  readonly bytes?: number;
}

/** The limits of one owner. */
export interface OwnerLimits {
  /** Tasks that have not ended. */
  readonly concurrentTasks: number;
  /** Tasks created within a minute. */
  readonly tasksPerMinute: number;
  /** Limit of the histories of all kept tasks, bytes. */
  readonly historyBytes: number;
}

/** How much of its limits an account uses. */
export interface OwnerUse {
  /** Tasks that have not ended. */
  readonly unfinishedTasks: number;
  /** Tasks that were created in the present minute. */
  readonly tasksInMinute: number;
  /** The size of the histories of all kept tasks, bytes, as far as it is known. */
  readonly historyBytes: number;
}

/** The limits of each account now. Most accounts have the same. */
export type LimitsOf = (account: string) => OwnerLimits;

/** An account under which tasks are counted, and its limits. An address has no list of tasks. */
export interface Account {
  readonly owner: string;
  readonly limits: OwnerLimits;
}

/**
 * Why a task may not be created: the account of the exceeded limit, and for a limit per minute `retryAfterMs`, the time until the minute
 * ends.
 */
export type LimitRefusal =
  | { readonly verdict: 'too-many-tasks' | 'too-many-bytes'; readonly account: Account }
  | { readonly verdict: 'too-many-per-minute'; readonly account: Account; readonly retryAfterMs: number };

/** Whether a task may be created. */
export type RegistrationVerdict = { readonly verdict: 'registered' } | LimitRefusal;

/** The task that an idempotency key stands for, and a hash of the call that claimed it. */
export interface KeyClaim {
  readonly taskId: TaskId;
  /** Equal for calls of the same tool with the same arguments. */
  readonly fingerprint: string;
}

/** A claim that holds. */
export interface HeldClaim extends KeyClaim {
  /** Whether the task existed: the key never starts it again. */
  readonly isUsed: boolean;
}

/**
 * Which tasks an owner has, for `tasks/list` and for the limits. Registered before the first event and
 * retired after the last, so that a crash in between leaves an entry too many, never one too few.
 */
export interface TaskIndex {
  /** Counts the task under all of the accounts, or under no account when that exceeds a limit of one. */
  register(task: Registration, accounts: readonly Account[]): Promise<RegistrationVerdict>;
  /**
   * Notes the size of the history of a registered task; does nothing for a task that is gone.
   *
   * @param limitBytes above it expired tasks are dropped first
   * @returns the size of the histories of all tasks of the owner, as far as it is known
   */
  countBytes(owner: string, taskId: TaskId, bytes: number, limitBytes: number): Promise<number>;
  /** Keeps the records of accounts with a task that runs for days. */
  keep(owners: readonly string[]): Promise<void>;
  /**
   * The task has ended and may be forgotten by all of its accounts after `keptMs`.
   *
   * @param storedMs until then the bytes of its history count, if that is longer
   */
  retire(owners: readonly string[], taskId: TaskId, keptMs: Milliseconds, storedMs?: Milliseconds): Promise<void>;
  /** Up to `limit` ids created before `after`, newest first. Costs O(log n + limit). */
  page(owner: string, limit: number, after?: TaskIndexPosition): Promise<TaskIndexPage>;
  /** The oldest tasks that were not retired, under addresses too: to find tasks with a missed end. */
  unretired(owner: string, limit: number): Promise<readonly TaskIndexPosition[]>;
  /** How much of its limits an account uses now. */
  use(owner: string): Promise<OwnerUse>;
  /** Drops entries if their task is gone. */
  forget(owner: string, taskIds: readonly TaskId[]): Promise<void>;
  /** Claims an idempotency key for `ttlMs`. @returns the claim that holds: an earlier one if the key has one */
  claimKey(owner: string, key: string, claim: KeyClaim, ttlMs: Milliseconds): Promise<HeldClaim>;
  /** Marks the claim of an existing task as used, and keeps it for `ttlMs` from now; does nothing when the task does not hold the key. */
  keepKey(owner: string, key: string, taskId: TaskId, ttlMs: Milliseconds): Promise<void>;
  /** Has the key stand for this claim for `ttlMs` from now, whatever it stood for. */
  replaceKey(owner: string, key: string, claim: KeyClaim, ttlMs: Milliseconds): Promise<void>;
  /** The claim that holds, if there is one. */
  claimOf(owner: string, key: string): Promise<HeldClaim | undefined>;
}

/** Sorts lists of tasks: by time, and by id among tasks of the same millisecond, as Redis has them. */
export function newestFirst(left: TaskIndexPosition, right: TaskIndexPosition): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  if (left.taskId === right.taskId) return 0;
  return left.taskId < right.taskId ? 1 : -1;
}

/**
 * The beginning of the names for the bytes of tasks that operators have for longer than their clients. The index holds such a name as an
 * entry that has ended, that no list shows, and that expires by itself. It is persisted.
 */
export const KEPT_BYTES = 'kept:';

/** The name for a task. */
export function keptBytesOf(taskId: TaskId): TaskId {
  return `${KEPT_BYTES}${taskId}` as TaskId;
}
