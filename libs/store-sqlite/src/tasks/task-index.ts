import {
  type Account,
  type HeldClaim,
  keptBytesOf,
  type KeyClaim,
  type Registration,
  type RegistrationVerdict,
} from '@longhaul/tasks/store';
import type { Milliseconds, OwnerUse, TaskId, TaskIndex, TaskIndexPage, TaskIndexPosition } from '@longhaul/tasks';
import { bytesOf, dropExpiredOf, registerTask, retireTask, useOf } from './owned-tasks.js';
import { type TaskFile, whileUsable, writing } from './task-file.js';

/** After every position of the same list. */
const NEWEST: TaskIndexPosition = { createdAt: Number.MAX_SAFE_INTEGER, taskId: '' as TaskId };

/** `TaskIndex` in a data file. */
export class SqliteTaskIndex implements TaskIndex {
  constructor(private readonly file: TaskFile) {}

  register(task: Registration, accounts: readonly Account[]): Promise<RegistrationVerdict> {
    return this.#write((now) => registerTask(this.file.database, now, task, accounts));
  }

  countBytes(owner: string, taskId: TaskId, bytes: number, limitBytes: number): Promise<number> {
    const { database } = this.file;
    return this.#write((now) => {
      const sql = 'UPDATE owned_tasks SET bytes = ? WHERE owner = ? AND task_id = ?';
      if (database.run(sql, bytes, owner, keptBytesOf(taskId)) === 0) database.run(sql, bytes, owner, taskId);
      if (bytesOf(database, owner) > limitBytes) dropExpiredOf(database, now, owner);
      return bytesOf(database, owner);
    });
  }

  async keep(): Promise<void> {
    // No record here expires by itself.
  }

  retire(accounts: readonly string[], taskId: TaskId, keptMs: Milliseconds, storedMs = keptMs): Promise<void> {
    return this.#write((now) => retireTask(this.file.database, now, taskId, { accounts, keptMs, storedMs }));
  }

  async page(owner: string, limit: number, { createdAt, taskId }: TaskIndexPosition = NEWEST): Promise<TaskIndexPage> {
    // One more than asked for shows whether there is a next page.
    const rows = await this.#positions(
      `SELECT task_id, created_at FROM owned_tasks WHERE owner = ? AND is_listed = 1 AND (created_at, task_id) < (?, ?)
       ORDER BY created_at DESC, task_id DESC LIMIT ?`,
      owner,
      createdAt,
      taskId,
      limit + 1,
    );
    const tasks = rows.slice(0, limit);
    const last = tasks.at(-1);
    return last !== undefined && rows.length > limit ? { tasks, next: last } : { tasks };
  }

  use(owner: string): Promise<OwnerUse> {
    return this.#write((now) => useOf(this.file.database, now, owner));
  }

  unretired(owner: string, limit: number): Promise<readonly TaskIndexPosition[]> {
    return this.#positions(
      'SELECT task_id, created_at FROM owned_tasks WHERE owner = ? AND expires_at IS NULL ORDER BY created_at LIMIT ?',
      owner,
      limit,
    );
  }

  async forget(owner: string, taskIds: readonly TaskId[]): Promise<void> {
    if (taskIds.length === 0) return;
    await this.#write(() => {
      for (const taskId of taskIds) this.file.database.run('DELETE FROM owned_tasks WHERE owner = ? AND task_id = ?', owner, taskId);
    });
  }

  claimKey(owner: string, key: string, claim: KeyClaim, ttlMs: number): Promise<HeldClaim> {
    return this.#write((now) => {
      const held = this.#claimOf(owner, key, now);
      if (held !== undefined) return held;
      this.#claim(owner, key, claim, now + ttlMs);
      return { ...claim, isUsed: false };
    });
  }

  async replaceKey(owner: string, key: string, claim: KeyClaim, ttlMs: number): Promise<void> {
    await this.#write((now) => this.#claim(owner, key, claim, now + ttlMs));
  }

  claimOf(owner: string, key: string): Promise<HeldClaim | undefined> {
    return whileUsable(() => this.#claimOf(owner, key, this.file.clock()));
  }

  #claimOf(owner: string, key: string, now: number): HeldClaim | undefined {
    const held = this.file.database.get(
      'SELECT task_id, fingerprint, is_used FROM idempotency_keys WHERE owner = ? AND key = ? AND expires_at > ?',
      owner,
      key,
      now,
    ) as { task_id: TaskId; fingerprint: string; is_used: number } | undefined;
    return held && { taskId: held.task_id, fingerprint: held.fingerprint, isUsed: held.is_used === 1 };
  }

  #claim(owner: string, key: string, { taskId, fingerprint }: KeyClaim, expiresAt: number): void {
    this.file.database.run(
      `INSERT OR REPLACE INTO idempotency_keys (owner, key, task_id, fingerprint, is_used, expires_at) VALUES (?, ?, ?, ?, 0, ?)`,
      owner,
      key,
      taskId,
      fingerprint,
      expiresAt,
    );
  }

  async keepKey(owner: string, key: string, taskId: TaskId, ttlMs: number): Promise<void> {
    await this.#write((now) =>
      this.file.database.run(
        'UPDATE idempotency_keys SET is_used = 1, expires_at = ? WHERE owner = ? AND key = ? AND task_id = ?',
        now + ttlMs,
        owner,
        key,
        taskId,
      ),
    );
  }

  #write<T>(run: (now: number) => T): Promise<T> {
    return writing(this.file, () => run(this.file.clock()));
  }

  async #positions(sql: string, ...values: (string | number)[]): Promise<TaskIndexPosition[]> {
    const rows = await whileUsable(() => this.file.database.all(sql, ...values) as { task_id: TaskId; created_at: number }[]);
    return rows.map(({ task_id: taskId, created_at: createdAt }) => ({ taskId, createdAt }));
  }
}
