import { HELD_BY_PAUSE } from './job-table.js';
import { whileUsable } from './task-file.js';
/** A job that became due waits, also before it has its turn. One that a pause holds is set aside. */
const DEPTH = `
  SELECT count(*) FILTER (WHERE is_held AND NOT is_aside) AS running,
    count(*) FILTER (WHERE is_aside) AS setAside,
    count(*) FILTER (WHERE NOT is_held AND turn IS NULL AND due_at > ?1) AS delayed,
    count(*) FILTER (WHERE NOT is_held AND (turn IS NOT NULL OR due_at <= ?1)) AS waiting,
    min(due_at) FILTER (WHERE NOT is_held AND (turn IS NOT NULL OR due_at <= ?1)) AS since
  FROM (SELECT turn, due_at, held_by IS NOT NULL AS is_held, ${HELD_BY_PAUSE} AS is_aside FROM jobs)`.replaceAll('?1', '?');
/** `TaskLoad` in a data file. */
export class SqliteTaskLoad {
    file;
    constructor(file) {
        this.file = file;
    }
    async queue() {
        const { database, clock } = this.file;
        const now = clock();
        const { since, ...depth } = await whileUsable(() => database.get(DEPTH, now, now, now));
        return { ...depth, ...(since !== null && { oldestWaitMs: Math.max(0, now - since) }) };
    }
    async overdue() {
        const { database, clock } = this.file;
        const now = clock();
        const sql = 'SELECT count(*) AS count, min(look_at) AS since FROM agenda WHERE look_at <= ?';
        const row = await whileUsable(() => database.get(sql, now));
        return { count: row.count, ...(row.since !== null && { oldestMs: now - row.since }) };
    }
}
//# sourceMappingURL=task-load.js.map