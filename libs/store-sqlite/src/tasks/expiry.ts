/** Removes expired rows, a few at a time, so that no other write waits for it. */
import type { SqliteDatabase } from '@longhaul/sqlite';
import { WEBHOOK_TTL_MS } from '@longhaul/tasks/store';
import { type TaskFile, writing } from './task-file.js';

const LOOK_EVERY_MS = 1_000;
/** How many rows of each kind are removed at once. */
const AT_ONCE = 200;
/** Rest between two removals while there is more. */
const REST_MS = 20;

type StreamRow = {
  readonly id: number;
  readonly since: number;
};

/** Removes expired rows of a data file as long as it runs. All processes do it: each finds the rows that the others have left. */
export class Expiry {
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(
    private readonly file: TaskFile,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.#lookIn(LOOK_EVERY_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #lookIn(ms: number): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#look(), ms).unref();
  }

  async #look(): Promise<void> {
    const { database, clock } = this.file;
    try {
      const isDone = !hasExpired(database, clock()) || (await writing(this.file, () => removeExpired(database, clock()))) < AT_ONCE;
      this.#lookIn(isDone ? LOOK_EVERY_MS : REST_MS);
    } catch (error) {
      if (!this.#isStopped) this.onError(error);
      this.#lookIn(LOOK_EVERY_MS);
    }
  }
}

const EXPIRED = [
  'tasks WHERE expires_at <= ?',
  'tasks WHERE drop_before_at <= ?',
  'operator_rows WHERE id < 0 AND gone_at <= ?',
  'owned_tasks WHERE expires_at <= ?',
  'idempotency_keys WHERE expires_at <= ?',
  'counters WHERE expires_at <= ?',
  'limit_starts WHERE expires_at <= ?',
  'owners WHERE tasks = 0 AND minute_ends_at <= ?',
  'webhooks WHERE expires_at <= ?',
  'webhooks_left_out WHERE expires_at <= ?',
  `webhook_recipients WHERE at <= ? - ${WEBHOOK_TTL_MS}`,
];

/** A look that finds nothing takes no lock. */
function hasExpired(database: SqliteDatabase, now: number): boolean {
  return EXPIRED.some((rows) => database.get(`SELECT 1 FROM ${rows} LIMIT 1`, now) !== undefined);
}

/** @returns the most rows that were removed of one kind */
function removeExpired(database: SqliteDatabase, now: number): number {
  return Math.max(
    removeTasks(database, now),
    removeEventsBefore(database, now),
    removeRows(database, 'operator_rows', 'id < 0 AND gone_at <= ?', now),
    removeRows(database, 'owned_tasks', 'expires_at <= ?', now),
    removeRows(database, 'idempotency_keys', 'expires_at <= ?', now),
    removeRows(database, 'counters', 'expires_at <= ?', now),
    removeRows(database, 'limit_starts', 'expires_at <= ?', now),
    removeRows(database, 'owners', 'tasks = 0 AND minute_ends_at <= ?', now),
    removeRows(database, 'webhooks', 'expires_at <= ?', now),
    removeRows(database, 'webhooks_left_out', 'expires_at <= ?', now),
    removeRows(database, 'webhook_recipients', 'at <= ?', now - WEBHOOK_TTL_MS),
  );
}

/** The key of each table: the first column alone is not always unique. */
const KEY_OF = {
  operator_rows: 'id',
  owned_tasks: 'owner, task_id',
  idempotency_keys: 'owner, key',
  counters: 'step, tool, at, name',
  limit_starts: 'rowid',
  owners: 'owner',
  webhooks: 'task_id, endpoint, version',
  webhooks_left_out: 'task_id',
  webhook_recipients: 'standing, task_id, endpoint',
} as const;

function removeRows(database: SqliteDatabase, table: keyof typeof KEY_OF, where: string, now: number): number {
  const key = KEY_OF[table];
  return database.run(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${AT_ONCE})`, now);
}

function removeTasks(database: SqliteDatabase, now: number): number {
  return removeStreams(
    database,
    'SELECT id, version AS since FROM tasks WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
    now,
    ({ id }) => {
      database.run('DELETE FROM tasks WHERE id = ?', id);
      database.run('DELETE FROM operator_rows WHERE id = ?', id);
    },
  );
}

function removeEventsBefore(database: SqliteDatabase, now: number): number {
  const sql = 'SELECT id, since FROM tasks WHERE drop_before_at <= ? ORDER BY drop_before_at LIMIT ?';
  return removeStreams(database, sql, now, ({ id }) => database.run('UPDATE tasks SET drop_before_at = NULL WHERE id = ?', id));
}

/** Removes events up to `since` of each stream that the statement finds, and then calls `finish` with it. */
function removeStreams(database: SqliteDatabase, sql: string, now: number, finish: (stream: StreamRow) => void): number {
  let removed = 0;
  for (const stream of database.all(sql, now, AT_ONCE) as StreamRow[]) {
    const { id, since } = stream;
    const events = `SELECT version FROM events WHERE task = ? AND version <= ? ORDER BY version LIMIT ${AT_ONCE}`;
    const count = database.run(`DELETE FROM events WHERE task = ? AND version IN (${events})`, id, id, since);
    removed += count + 1;
    if (count < AT_ONCE) finish(stream);
    if (removed >= AT_ONCE) return AT_ONCE;
  }
  return removed;
}
