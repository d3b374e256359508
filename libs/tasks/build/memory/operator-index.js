import { ROW_STATUSES } from '../domain/projections/task-row.js';
import { newestFirst } from '../ports/newest-first.js';
import { MAX_CANDIDATES, } from '../ports/operator-index.js';
import { fits } from '../ports/row-filter.js';
/** `OperatorIndex` in memory; it sorts at each page, which is fine for the few tasks of one process. */
export class MemoryOperatorIndex {
    clock;
    #rows = new Map();
    constructor(clock) {
        this.clock = clock;
    }
    /** Writes the row of an append. @param goneAt when its task is gone, if it has ended */
    write(row, goneAt = Number.POSITIVE_INFINITY) {
        const was = this.#rows.get(row.taskId)?.row;
        if (was !== undefined && was.viewVersion > row.viewVersion)
            return;
        if (goneAt > this.clock())
            this.#rows.set(row.taskId, { row, goneAt });
    }
    async page(filter, limit, after) {
        const following = this.#live()
            .filter((row) => after === undefined || newestFirst(after, row) < 0)
            .sort(newestFirst);
        const rows = [];
        for (const [looked, row] of following.entries()) {
            const last = following[looked - 1];
            // There is one more.
            if (last !== undefined && (rows.length === limit || looked === MAX_CANDIDATES))
                return { rows, next: { createdAt: last.createdAt, taskId: last.taskId } };
            if (fits(row, filter))
                rows.push(row);
        }
        return { rows };
    }
    async counts() {
        const rows = this.#live();
        const byStatus = Object.fromEntries(ROW_STATUSES.map((status) => [status, rows.filter((row) => row.status === status).length]));
        const groups = [
            ...Map.groupBy(rows.filter(({ reason }) => reason !== undefined), ({ tool, reason }) => JSON.stringify([tool, reason])).values(),
        ];
        const failures = groups.flatMap((group) => {
            const [first] = group;
            if (first?.reason === undefined)
                return [];
            const latestAt = Math.max(...group.map(({ endedAt = 0 }) => endedAt));
            return [{ tool: first.tool, reason: first.reason, count: group.length, latestAt }];
        });
        return { byStatus: byStatus, failures: failures.sort((left, right) => right.count - left.count) };
    }
    async put(rows) {
        for (const row of rows)
            this.write(row, row.goneAt);
    }
    async drop(taskIds) {
        for (const taskId of taskIds)
            this.#rows.delete(taskId);
    }
    async missing(taskIds) {
        return taskIds.filter((taskId) => !this.#rows.has(taskId));
    }
    /** Frees the others. */
    #live() {
        const now = this.clock();
        for (const [taskId, { goneAt }] of this.#rows)
            if (goneAt <= now)
                this.#rows.delete(taskId);
        return [...this.#rows.values()].map(({ row }) => row);
    }
}
//# sourceMappingURL=operator-index.js.map