import type { RowStatus, TaskRow } from '../domain/projections/task-row.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskIndexPosition } from './task-index.js';

/** Which tasks an operator looks for: the tasks that match all members. */
export interface TaskFilter {
  /** One of these. @defaultValue any */
  readonly status?: readonly RowStatus[];
  readonly tool?: string;
  readonly owner?: string;
  /** Why it failed, as `TaskRow.reason`. */
  readonly reason?: string;
  /** The group of failures, as `TaskRow.cause`. */
  readonly cause?: string;
  /** As `TaskRow.version`. */
  readonly version?: string;
  /** For each searchable argument that is looked for, the keys that its value may have: the row has one of each. */
  readonly searchKeys?: readonly (readonly string[])[];
  /** Created then or later, epoch milliseconds. */
  readonly createdFrom?: number;
  /** Created earlier, epoch milliseconds. */
  readonly createdBefore?: number;
}

/** A page of rows, newest first. */
export interface TaskRowPage {
  readonly rows: readonly TaskRow[];
  /** Where the next page starts; absent at the end. */
  readonly next?: TaskIndexPosition;
}

/** Failed tasks that were not retried, with one cause. */
export interface FailureGroup {
  readonly cause: string;
  readonly tool: string;
  readonly reason: string;
  readonly count: number;
  /** When the latest of them ended, epoch milliseconds. */
  readonly latestAt: number;
}

/** What the rows of one cause say about it. */
export interface FailureTimes {
  /** The newest task, retried or not. */
  readonly newest: TaskId;
  /** When the oldest task failed, retried or not, epoch milliseconds. */
  readonly firstAt: number;
  /** How many failed in each hour and were not retried, the earliest first. */
  readonly hours: readonly number[];
}

/** An hour of `FailureTimes`. */
export const HOUR_MS = 3_600_000;

/** How many rows there are. */
export interface RowCounts {
  readonly byStatus: Readonly<Record<RowStatus, number>>;
  /** Groups of the failed tasks that were not retried, the largest first. */
  readonly failures: readonly FailureGroup[];
}

/** The most rows that one call of `OperatorIndex.page` looks at. */
export const MAX_CANDIDATES = 5_000;

/**
 * All tasks of all owners, for operators: a row each, by time, status, tool, owner, reason, version and searchable arguments. A row is written with the append
 * that changes it, or soon after it where the store cannot do both in one step, and is gone with its task. The views decide: a row that
 * differs from its view is corrected when it is found.
 *
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface OperatorIndex {
  /**
   * Rows that fit the filter and were created before `after`, newest first. Looks at `MAX_CANDIDATES` rows at most: so the page may have
   * fewer rows than `limit`, or none, although more exist; then `next` says where to continue.
   */
  page(filter: TaskFilter, limit: number, after?: TaskIndexPosition): Promise<TaskRowPage>;
  counts(): Promise<RowCounts>;
  /** The tasks of a status that were created first, oldest first. */
  oldest(status: RowStatus, limit: number): Promise<readonly TaskId[]>;
  /** The times of some groups of failures. @param fromHour the first of `count` hours since 1970 */
  failureTimes(causes: readonly string[], fromHour: number, count: number): Promise<ReadonlyMap<string, FailureTimes>>;
  /**
   * Writes rows by their views. A row that stands for a later version than the given one stays; a row of an expired task is not written.
   */
  put(rows: readonly TaskRow[]): Promise<void>;
  /** Drops rows if their tasks are gone. */
  drop(taskIds: readonly TaskId[]): Promise<void>;
  /**
   * Notes that a task was retried, and as which task. It is no longer counted among the failures. Later notes replace earlier ones; a note
   * is gone with its row.
   */
  noteRetry(row: TaskRow, retryId: TaskId): Promise<void>;
  /** The notes of those tasks that have one. */
  retries(taskIds: readonly TaskId[]): Promise<ReadonlyMap<TaskId, TaskId>>;
  /** @returns the tasks that have no row */
  missing(taskIds: readonly TaskId[]): Promise<readonly TaskId[]>;
}

/** The members of a row that a filter may name, but for its status and its time; the most selective first. */
export const NAMED = ['owner', 'cause', 'reason', 'version', 'tool'] as const;

/** Whether a row fits all of a filter. */
export function fits(row: TaskRow, filter: TaskFilter): boolean {
  const { status, createdFrom = Number.NEGATIVE_INFINITY, createdBefore = Number.POSITIVE_INFINITY, searchKeys = [] } = filter;
  if (status !== undefined && !status.includes(row.status)) return false;
  if (row.createdAt < createdFrom || row.createdAt >= createdBefore) return false;
  if (!searchKeys.every((keys) => row.searchKeys?.some((key) => keys.includes(key)))) return false;
  return NAMED.every((name) => filter[name] === undefined || filter[name] === row[name]);
}
