import { keptBytesOf } from '../ports/kept-bytes.js';
import { bytesOf, dropExpiredOf, registerTask, retireTask, useOf } from './owned-tasks.js';
import { whileUsable, writing } from './task-file.js';
/** After every position of the same list. */
const NEWEST = { createdAt: Number.MAX_SAFE_INTEGER, taskId: '' };
/** `TaskIndex` in a data file. */
export class SqliteTaskIndex {
    file;
    constructor(file) {
        this.file = file;
    }
    register(task, accounts) {
        return this.#write((now) => registerTask(this.file.database, now, task, accounts));
    }
    countBytes(owner, taskId, bytes, limitBytes) {
        const { database } = this.file;
        return this.#write((now) => {
            const sql = 'UPDATE owned_tasks SET bytes = ? WHERE owner = ? AND task_id = ?';
            if (database.run(sql, bytes, owner, keptBytesOf(taskId)) === 0)
                database.run(sql, bytes, owner, taskId);
            if (bytesOf(database, owner) > limitBytes)
                dropExpiredOf(database, now, owner);
            return bytesOf(database, owner);
        });
    }
    async keep() {
        // Nothing here is forgotten by itself.
    }
    retire(accounts, taskId, keptMs, storedMs = keptMs) {
        return this.#write((now) => retireTask(this.file.database, now, taskId, { accounts, keptMs, storedMs }));
    }
    async page(owner, limit, { createdAt, taskId } = NEWEST) {
        // One more than asked for shows whether there is a next page.
        const rows = await this.#positions(`SELECT task_id, created_at FROM owned_tasks WHERE owner = ? AND is_listed = 1 AND (created_at, task_id) < (?, ?)
       ORDER BY created_at DESC, task_id DESC LIMIT ?`, owner, createdAt, taskId, limit + 1);
        const tasks = rows.slice(0, limit);
        const last = tasks.at(-1);
        return last !== undefined && rows.length > limit ? { tasks, next: last } : { tasks };
    }
    use(owner) {
        return this.#write((now) => useOf(this.file.database, now, owner));
    }
    unretired(owner, limit) {
        return this.#positions('SELECT task_id, created_at FROM owned_tasks WHERE owner = ? AND expires_at IS NULL ORDER BY created_at LIMIT ?', owner, limit);
    }
    async forget(owner, taskIds) {
        if (taskIds.length === 0)
            return;
        await this.#write(() => {
            for (const taskId of taskIds)
                this.file.database.run('DELETE FROM owned_tasks WHERE owner = ? AND task_id = ?', owner, taskId);
        });
    }
    claimKey(owner, key, { taskId, fingerprint }, ttlMs) {
        const { database } = this.file;
        return this.#write((now) => {
            const held = database.get('SELECT task_id, fingerprint, is_used FROM idempotency_keys WHERE owner = ? AND key = ? AND expires_at > ?', owner, key, now);
            if (held !== undefined)
                return { taskId: held.task_id, fingerprint: held.fingerprint, isUsed: held.is_used === 1 };
            database.run(`INSERT OR REPLACE INTO idempotency_keys (owner, key, task_id, fingerprint, is_used, expires_at) VALUES (?, ?, ?, ?, 0, ?)`, owner, key, taskId, fingerprint, now + ttlMs);
            return { taskId, fingerprint, isUsed: false };
        });
    }
    async keepKey(owner, key, taskId, ttlMs) {
        await this.#write((now) => this.file.database.run('UPDATE idempotency_keys SET is_used = 1, expires_at = ? WHERE owner = ? AND key = ? AND task_id = ?', now + ttlMs, owner, key, taskId));
    }
    #write(run) {
        return writing(this.file, () => run(this.file.clock()));
    }
    async #positions(sql, ...values) {
        const rows = await whileUsable(() => this.file.database.all(sql, ...values));
        return rows.map(({ task_id: taskId, created_at: createdAt }) => ({ taskId, createdAt }));
    }
}
//# sourceMappingURL=task-index.js.map