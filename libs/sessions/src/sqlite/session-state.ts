import { removeExpired, type SqliteDatabase } from '@longhaul/sqlite';
import { type Clock, FIELD_LIMITS, type Json } from '@longhaul/tasks';
import { accountFull, SESSION_STATE_TTL_MS, sessionFull, type SessionState, valueText } from '../ports/session-state.js';
import { bytesOfAccount } from './account-bytes.js';
import type { DataFile } from './data-file.js';

/** What the values are kept with. */
export interface SqliteSessionStateDeps {
  readonly file: DataFile;
  readonly clock: Clock;
  readonly ttlMs: number | undefined;
  /** What all sessions of an account may hold. @defaultValue as `FIELD_LIMITS` */
  readonly maxAccountBytes: number | undefined;
}

interface NewValue {
  readonly session: string;
  readonly name: string;
  readonly json: string;
  readonly bytes: number;
  readonly account: string;
}

/** `SessionState` in the data file: a row for each value, and one for each session with what its values take together. */
export class SqliteSessionState implements SessionState {
  readonly #ttlMs: number;
  readonly #maxAccountBytes: number;

  constructor(private readonly deps: SqliteSessionStateDeps) {
    this.#ttlMs = deps.ttlMs ?? SESSION_STATE_TTL_MS;
    this.#maxAccountBytes = deps.maxAccountBytes ?? FIELD_LIMITS.accountSessionBytes;
  }

  async get(session: string, name: string): Promise<Json | undefined> {
    const row = await this.deps.file.read(
      (database) =>
        database.get(
          `SELECT v.json FROM session_values v JOIN value_holders h ON h.session = v.session
         WHERE v.session = ? AND v.name = ? AND h.expires_at > ?`,
          session,
          name,
          this.deps.clock(),
        ) as { json: string } | undefined,
    );
    return row && (JSON.parse(row.json) as Json);
  }

  async set(session: string, name: string, value: Json, account = session): Promise<void> {
    await this.deps.file.write((database) => this.#put(database, newValue(session, name, value, account)));
  }

  async add(session: string, name: string, value: Json, account = session): Promise<boolean> {
    return this.deps.file.write((database) => {
      this.#removeIfExpired(database, session);
      if (database.get('SELECT 1 FROM session_values WHERE session = ? AND name = ?', session, name) !== undefined) return false;
      this.#put(database, newValue(session, name, value, account));
      return true;
    });
  }

  async delete(session: string, name: string): Promise<boolean> {
    return this.deps.file.write((database) => {
      this.#removeIfExpired(database, session);
      const removed = database.get('DELETE FROM session_values WHERE session = ? AND name = ? RETURNING bytes', session, name) as
        { bytes: number } | undefined;
      if (removed !== undefined) database.run('UPDATE value_holders SET bytes = bytes - ? WHERE session = ?', removed.bytes, session);
      return removed !== undefined;
    });
  }

  async names(session: string, prefix: string): Promise<readonly string[]> {
    const rows = await this.deps.file.read(
      (database) =>
        database.all(
          'SELECT v.name FROM session_values v JOIN value_holders h ON h.session = v.session WHERE v.session = ? AND h.expires_at > ?',
          session,
          this.deps.clock(),
        ) as { name: string }[],
    );
    return rows
      .map(({ name }) => name)
      .filter((name) => name.startsWith(prefix))
      .toSorted();
  }

  async keep(session: string, ms: number): Promise<void> {
    const now = this.deps.clock();
    await this.deps.file.write((database) =>
      database.run('UPDATE value_holders SET expires_at = ? WHERE session = ? AND expires_at > ?', now + ms, session, now),
    );
  }

  async clear(session: string): Promise<void> {
    await this.deps.file.write((database) => database.run('DELETE FROM value_holders WHERE session = ?', session));
  }

  #put(database: SqliteDatabase, { session, name, json, bytes, account }: NewValue): void {
    const now = this.deps.clock();
    this.#removeIfExpired(database, session);
    const others = (database.get(
      'SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM session_values WHERE session = ? AND name <> ?',
      session,
      name,
    ) as { count: number; bytes: number } | undefined) ?? { count: 0, bytes: 0 };
    if (others.count >= FIELD_LIMITS.sessionValues) throw sessionFull('too-many');
    const total = others.bytes + bytes;
    if (total > FIELD_LIMITS.sessionBytes) throw sessionFull('too-large');
    const held = database.get('SELECT account, bytes FROM value_holders WHERE session = ?', session) as
      { account: string; bytes: number } | undefined;
    const own = held?.account === account ? held.bytes : 0;
    if (bytesOfAccount(database, account, now) - own + total > this.#maxAccountBytes) throw accountFull(this.#maxAccountBytes);
    if (held === undefined) removeExpired(database, 'value_holders', now);
    database.run(
      `INSERT INTO value_holders (session, account, bytes, expires_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (session) DO UPDATE SET account = excluded.account, bytes = excluded.bytes`,
      session,
      account,
      total,
      now + this.#ttlMs,
    );
    database.run(
      `INSERT INTO session_values (session, name, bytes, json) VALUES (?, ?, ?, ?)
       ON CONFLICT (session, name) DO UPDATE SET bytes = excluded.bytes, json = excluded.json`,
      session,
      name,
      bytes,
      json,
    );
  }

  #removeIfExpired(database: SqliteDatabase, session: string): void {
    database.run('DELETE FROM value_holders WHERE session = ? AND expires_at <= ?', session, this.deps.clock());
  }
}

function newValue(session: string, name: string, value: Json, account: string): NewValue {
  const json = valueText(value);
  return { session, name, json, bytes: Buffer.byteLength(name) + Buffer.byteLength(json), account };
}
