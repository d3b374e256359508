import type { AgendaVerdict, OnTasks, Suspicion, TakenEntries } from '@longhaul/tasks/store';
import type { TaskAgenda, TaskId } from '@longhaul/tasks';
import type { SqliteDatabase } from '@longhaul/sqlite';
import { type TaskFile, whileUsable, writing } from './task-file.js';

/** An entry may be removed a little later without harm: it is not due before. Many are removed together. */
const REMOVE_DELAY_MS = 50;
/** Rest between two walks over all tasks, and how many tasks one call visits. */
const WALK_EVERY_MS = 600_000;
const TASKS_AT_ONCE = 1_000;

/** Brings the entry of a task forward, within a transaction. */
export function dateEntry(database: SqliteDatabase, taskId: TaskId, at: number): void {
  database.run(
    `INSERT INTO agenda (task_id, look_at, is_leased) VALUES (?, ?, 0)
     ON CONFLICT DO UPDATE SET look_at = excluded.look_at, is_leased = 0 WHERE is_leased = 1 OR excluded.look_at < look_at`,
    taskId,
    at,
  );
}

/** `TaskAgenda` in a data file. */
export class SqliteTaskAgenda implements TaskAgenda {
  readonly shards = 1;
  readonly #ended = new Set<TaskId>();
  #removal: NodeJS.Timeout | undefined;
  /** When the next walk over all tasks may begin, and how far the present one is. */
  #walkAt = 0;
  #walkedTo = 0;

  /** @param isShared whether others may wait for the lock of the file, so that writes are saved up */
  constructor(
    private readonly file: TaskFile,
    private readonly isShared: boolean,
    private readonly onError: (error: unknown) => void,
  ) {}

  date(taskId: TaskId, inMs: number): Promise<void> {
    return this.#write((database, now) => dateEntry(database, taskId, now + inMs));
  }

  async count(): Promise<number> {
    const row = await whileUsable(() => this.file.database.get('SELECT count(*) AS total FROM agenda'));
    return (row as { total: number }).total;
  }

  remove(taskId: TaskId): void {
    this.#ended.add(taskId);
    if (!this.isShared) void this.flush();
    else this.#removal ??= setTimeout(() => void this.flush(), REMOVE_DELAY_MS).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#removal);
    this.#removal = undefined;
    if (this.#ended.size === 0) return;
    const ended = [...this.#ended];
    this.#ended.clear();
    await this.#write((database) => {
      for (const taskId of ended) database.run('DELETE FROM agenda WHERE task_id = ?', taskId);
    }).catch(this.onError);
  }

  take(shard: number, limit: number, leaseMs: number): Promise<TakenEntries> {
    return this.#write((database, now) => {
      const due = database.all('SELECT task_id FROM agenda WHERE look_at <= ? ORDER BY look_at LIMIT ?', now, limit);
      const taskIds = (due as { task_id: TaskId }[]).map(({ task_id: taskId }) => taskId);
      const lease = now + leaseMs;
      for (const taskId of taskIds) database.run('UPDATE agenda SET look_at = ?, is_leased = 1 WHERE task_id = ?', lease, taskId);
      const { total } = database.get('SELECT count(*) AS total FROM agenda') as { total: number };
      return { shard, taskIds, lease, total };
    });
  }

  async settle({ lease }: TakenEntries, verdicts: ReadonlyMap<TaskId, AgendaVerdict>): Promise<void> {
    if (verdicts.size === 0) return;
    const held = 'task_id = ? AND is_leased = 1 AND look_at = ?';
    await this.#write((database, now) => {
      for (const [taskId, verdict] of verdicts) {
        if (verdict === 'remove') database.run(`DELETE FROM agenda WHERE ${held}`, taskId, lease);
        else database.run(`UPDATE agenda SET look_at = ?, is_leased = 0 WHERE ${held}`, now + verdict, taskId, lease);
      }
    });
  }

  async ensure(taskIds: readonly TaskId[], suspicion: Suspicion): Promise<void> {
    if (taskIds.length === 0) return;
    const known = suspicion === 'all' ? 'UPDATE SET look_at = excluded.look_at, is_leased = 0 WHERE excluded.look_at < look_at' : 'NOTHING';
    await this.#write((database, now) => {
      const sql = `INSERT INTO agenda (task_id, look_at, is_leased) VALUES (?, ?, 0) ON CONFLICT DO ${known}`;
      for (const taskId of taskIds) database.run(sql, taskId, now);
    });
  }

  /** An entry and its append are written together or not at all: so only data that others keep for tasks can be missing. */
  async heal(onTasks?: OnTasks): Promise<void> {
    const { database, clock } = this.file;
    if (onTasks === undefined || clock() < this.#walkAt) return;
    const sql = 'SELECT id, task_id FROM tasks WHERE id > ? ORDER BY id LIMIT ?';
    const met = await whileUsable(() => database.all(sql, this.#walkedTo, TASKS_AT_ONCE) as { id: number; task_id: TaskId }[]);
    this.#walkedTo = met.at(-1)?.id ?? 0;
    if (met.length < TASKS_AT_ONCE) {
      this.#walkedTo = 0;
      this.#walkAt = clock() + WALK_EVERY_MS;
    }
    if (met.length > 0) await onTasks(met.map(({ task_id: taskId }) => taskId));
  }

  #write<T>(run: (database: SqliteDatabase, now: number) => T): Promise<T> {
    return writing(this.file, () => run(this.file.database, this.file.clock()));
  }
}
