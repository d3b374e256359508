import type { Clock } from '../ports/clock.js';
import { ROW_STATUSES, type RowStatus, type TaskRow } from '../domain/projections/task-row.js';
import type { TaskId } from '../domain/task-id.js';
import { newestFirst } from '../ports/newest-first.js';
import {
  type FailureGroup,
  MAX_CANDIDATES,
  type OperatorIndex,
  type RowCounts,
  type TaskFilter,
  type TaskRowPage,
} from '../ports/operator-index.js';
import { fits } from '../ports/row-filter.js';
import type { TaskIndexPosition } from '../ports/task-index.js';

/** `OperatorIndex` in memory; it sorts at each page, which is fine for the few tasks of one process. */
export class MemoryOperatorIndex implements OperatorIndex {
  readonly #rows = new Map<TaskId, { readonly row: TaskRow; readonly goneAt: number }>();

  constructor(private readonly clock: Clock) {}

  /** Writes the row of an append. @param goneAt when its task is gone, if it has ended */
  write(row: TaskRow, goneAt = Number.POSITIVE_INFINITY): void {
    const was = this.#rows.get(row.taskId)?.row;
    if (was !== undefined && was.viewVersion > row.viewVersion) return;
    if (goneAt > this.clock()) this.#rows.set(row.taskId, { row, goneAt });
  }

  async page(filter: TaskFilter, limit: number, after?: TaskIndexPosition): Promise<TaskRowPage> {
    const following = this.#live()
      .filter((row) => after === undefined || newestFirst(after, row) < 0)
      .sort(newestFirst);
    const rows: TaskRow[] = [];
    for (const [looked, row] of following.entries()) {
      const last = following[looked - 1];
      // There is one more.
      if (last !== undefined && (rows.length === limit || looked === MAX_CANDIDATES))
        return { rows, next: { createdAt: last.createdAt, taskId: last.taskId } };
      if (fits(row, filter)) rows.push(row);
    }
    return { rows };
  }

  async counts(): Promise<RowCounts> {
    const rows = this.#live();
    const byStatus = Object.fromEntries(ROW_STATUSES.map((status) => [status, rows.filter((row) => row.status === status).length]));
    const groups = [
      ...Map.groupBy(
        rows.filter(({ reason }) => reason !== undefined),
        ({ tool, reason }) => JSON.stringify([tool, reason]),
      ).values(),
    ];
    const failures = groups.flatMap((group): FailureGroup[] => {
      const [first] = group;
      if (first?.reason === undefined) return [];
      const latestAt = Math.max(...group.map(({ endedAt = 0 }) => endedAt));
      return [{ tool: first.tool, reason: first.reason, count: group.length, latestAt }];
    });
    return { byStatus: byStatus as Record<RowStatus, number>, failures: failures.sort((left, right) => right.count - left.count) };
  }

  async put(rows: readonly TaskRow[]): Promise<void> {
    for (const row of rows) this.write(row, row.goneAt);
  }

  async drop(taskIds: readonly TaskId[]): Promise<void> {
    for (const taskId of taskIds) this.#rows.delete(taskId);
  }

  async missing(taskIds: readonly TaskId[]): Promise<readonly TaskId[]> {
    return taskIds.filter((taskId) => !this.#rows.has(taskId));
  }

  /** Frees the others. */
  #live(): TaskRow[] {
    const now = this.clock();
    for (const [taskId, { goneAt }] of this.#rows) if (goneAt <= now) this.#rows.delete(taskId);
    return [...this.#rows.values()].map(({ row }) => row);
  }
}
