import type { RowStatus, TaskRow } from '../domain/projections/task-row.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskIndexPosition } from './task-index.js';

/** Which tasks an operator looks for; those that fit all of it. */
export interface TaskFilter {
  /** One of these. @defaultValue any */
  readonly status?: readonly RowStatus[];
  readonly tool?: string;
  readonly owner?: string;
  /** Why it failed, as `TaskRow.reason`. */
  readonly reason?: string;
  /** As `TaskRow.version`. */
  readonly version?: string;
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

/** Failed tasks of one tool with one reason. */
export interface FailureGroup {
  readonly tool: string;
  readonly reason: string;
  readonly count: number;
  /** When the latest of them ended, epoch milliseconds. */
  readonly latestAt: number;
}

/** How many rows there are. */
export interface RowCounts {
  readonly byStatus: Readonly<Record<RowStatus, number>>;
  /** Of the failed ones, the largest group first. */
  readonly failures: readonly FailureGroup[];
}

/** What one call of `OperatorIndex.page` looks at, at most. */
export const MAX_CANDIDATES = 5_000;

/**
 * All tasks of all owners, for operators: a row each, by time, status, tool, owner, reason and version. A row is written with the
 * append that changes it, or soon after it where the store cannot do both in one step, and is gone with its task. The views decide:
 * a row that does not say what its view says is put right when somebody finds it.
 *
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface OperatorIndex {
  /**
   * Rows that fit the filter and were created before `after`, newest first. Looks at `MAX_CANDIDATES` rows at most: so there may be
   * fewer than `limit`, or none, though there are more; then `next` says where to go on.
   */
  page(filter: TaskFilter, limit: number, after?: TaskIndexPosition): Promise<TaskRowPage>;
  counts(): Promise<RowCounts>;
  /** Writes rows as the views say. One that stands for a later version than the given one stays; one whose time is over is not written. */
  put(rows: readonly TaskRow[]): Promise<void>;
  /** Drops rows whose tasks are gone. */
  drop(taskIds: readonly TaskId[]): Promise<void>;
  /** @returns those of the tasks that have no row */
  missing(taskIds: readonly TaskId[]): Promise<readonly TaskId[]>;
}
