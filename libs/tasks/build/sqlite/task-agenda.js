import { whileUsable, writing } from './task-file.js';
/** An entry that is removed a little later harms nobody: it is not due before. Many are removed together. */
const REMOVE_DELAY_MS = 50;
/** Rest between two walks over all tasks, and how many are met at a call. */
const WALK_EVERY_MS = 600_000;
const TASKS_AT_ONCE = 1_000;
/** Brings the entry of a task forward, within a transaction. */
export function dateEntry(database, taskId, at) {
    database.run(`INSERT INTO agenda (task_id, look_at, is_leased) VALUES (?, ?, 0)
     ON CONFLICT DO UPDATE SET look_at = excluded.look_at, is_leased = 0 WHERE is_leased = 1 OR excluded.look_at < look_at`, taskId, at);
}
/** `TaskAgenda` in a data file. */
export class SqliteTaskAgenda {
    file;
    onError;
    shards = 1;
    #ended = new Set();
    #removal;
    /** When the next walk over all tasks may begin, and how far this one is. */
    #walkAt = 0;
    #walkedTo = 0;
    constructor(file, onError) {
        this.file = file;
        this.onError = onError;
    }
    date(taskId, inMs) {
        return this.#write((database, now) => dateEntry(database, taskId, now + inMs));
    }
    async count() {
        const row = await whileUsable(() => this.file.database.get('SELECT count(*) AS total FROM agenda'));
        return row.total;
    }
    remove(taskId) {
        this.#ended.add(taskId);
        this.#removal ??= setTimeout(() => void this.flush(), REMOVE_DELAY_MS).unref();
    }
    async flush() {
        clearTimeout(this.#removal);
        this.#removal = undefined;
        if (this.#ended.size === 0)
            return;
        const ended = [...this.#ended];
        this.#ended.clear();
        await this.#write((database) => {
            for (const taskId of ended)
                database.run('DELETE FROM agenda WHERE task_id = ?', taskId);
        }).catch(this.onError);
    }
    take(shard, limit, leaseMs) {
        return this.#write((database, now) => {
            const due = database.all('SELECT task_id FROM agenda WHERE look_at <= ? ORDER BY look_at LIMIT ?', now, limit);
            const taskIds = due.map(({ task_id: taskId }) => taskId);
            const lease = now + leaseMs;
            for (const taskId of taskIds)
                database.run('UPDATE agenda SET look_at = ?, is_leased = 1 WHERE task_id = ?', lease, taskId);
            const { total } = database.get('SELECT count(*) AS total FROM agenda');
            return { shard, taskIds, lease, total };
        });
    }
    async settle({ lease }, verdicts) {
        if (verdicts.size === 0)
            return;
        const held = 'task_id = ? AND is_leased = 1 AND look_at = ?';
        await this.#write((database, now) => {
            for (const [taskId, verdict] of verdicts) {
                if (verdict === 'remove')
                    database.run(`DELETE FROM agenda WHERE ${held}`, taskId, lease);
                else
                    database.run(`UPDATE agenda SET look_at = ?, is_leased = 0 WHERE ${held}`, now + verdict, taskId, lease);
            }
        });
    }
    async ensure(taskIds, suspicion) {
        if (taskIds.length === 0)
            return;
        const known = suspicion === 'all' ? 'UPDATE SET look_at = excluded.look_at, is_leased = 0 WHERE excluded.look_at < look_at' : 'NOTHING';
        await this.#write((database, now) => {
            const sql = `INSERT INTO agenda (task_id, look_at, is_leased) VALUES (?, ?, 0) ON CONFLICT DO ${known}`;
            for (const taskId of taskIds)
                database.run(sql, taskId, now);
        });
    }
    /** An entry is written with the append that it is for, or neither of them is: so there is nothing to look for but what others keep. */
    async heal(onTasks) {
        const { database, clock } = this.file;
        if (onTasks === undefined || clock() < this.#walkAt)
            return;
        const sql = 'SELECT id, task_id FROM tasks WHERE id > ? ORDER BY id LIMIT ?';
        const met = await whileUsable(() => database.all(sql, this.#walkedTo, TASKS_AT_ONCE));
        this.#walkedTo = met.at(-1)?.id ?? 0;
        if (met.length < TASKS_AT_ONCE) {
            this.#walkedTo = 0;
            this.#walkAt = clock() + WALK_EVERY_MS;
        }
        if (met.length > 0)
            await onTasks(met.map(({ task_id: taskId }) => taskId));
    }
    #write(run) {
        return writing(this.file, () => run(this.file.database, this.file.clock()));
    }
}
//# sourceMappingURL=task-agenda.js.map