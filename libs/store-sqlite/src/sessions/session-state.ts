import type { SessionState } from '@longhaul/sessions';
import { type TaskFile, whileUsable, writing } from '../tasks/task-file.js';
import { accountFull, keptValue, SESSION_STATE_TTL_MS, sessionFull, valueFrom } from '@longhaul/sessions/store';
import { removeExpired } from '@longhaul/sqlite';
import { FIELD_LIMITS, type Json, type PayloadCodec, type StoreCapacity } from '@longhaul/tasks';
import { bytesOfAccount } from './account-bytes.js';

/** Dependencies of the values. */
export interface SqliteSessionStateDeps extends TaskFile {
  readonly capacity: StoreCapacity;
  readonly codec: PayloadCodec;
  readonly ttlMs: number | undefined;
  /** Limit of all sessions of an account. @defaultValue as `FIELD_LIMITS` */
  readonly maxAccountBytes: number | undefined;
}

interface NewValue {
  readonly session: string;
  readonly name: string;
  readonly json: string;
  readonly bytes: number;
  readonly account: string;
}

/** `SessionState` in the data file: a row for each value, and one for each session with the total size of its values. */
export class SqliteSessionState implements SessionState {
  readonly #ttlMs: number;
  readonly #maxAccountBytes: number;

  constructor(private readonly deps: SqliteSessionStateDeps) {
    this.#ttlMs = deps.ttlMs ?? SESSION_STATE_TTL_MS;
    this.#maxAccountBytes = deps.maxAccountBytes ?? FIELD_LIMITS.accountSessionBytes;
  }

  async get(session: string, name: string): Promise<Json | undefined> {
    const row = await whileUsable(
      () =>
        this.deps.database.get(
          `SELECT v.json FROM session_values v JOIN value_holders h ON h.session = v.session
         WHERE v.session = ? AND v.name = ? AND h.expires_at > ?`,
          session,
          name,
          this.deps.clock(),
        ) as { json: string } | undefined,
    );
    return row && valueFrom(this.deps.codec, row.json, { session, name });
  }

  async set(session: string, name: string, value: Json, account = session): Promise<void> {
    const put = await this.#newValue(session, name, value, account);
    await this.#write(put, () => this.#put(put));
  }

  async add(session: string, name: string, value: Json, account = session): Promise<boolean> {
    const added = await this.#newValue(session, name, value, account);
    return this.#write(added, () => {
      this.#removeIfExpired(session);
      if (this.deps.database.get('SELECT 1 FROM session_values WHERE session = ? AND name = ?', session, name) !== undefined) return false;
      this.#put(added);
      return true;
    });
  }

  async delete(session: string, name: string): Promise<boolean> {
    return writing(this.deps, () => {
      this.#removeIfExpired(session);
      const removed = this.deps.database.get('DELETE FROM session_values WHERE session = ? AND name = ? RETURNING bytes', session, name) as
        { bytes: number } | undefined;
      if (removed !== undefined)
        this.deps.database.run('UPDATE value_holders SET bytes = bytes - ? WHERE session = ?', removed.bytes, session);
      return removed !== undefined;
    });
  }

  async names(session: string, prefix: string): Promise<readonly string[]> {
    const rows = await whileUsable(
      () =>
        this.deps.database.all(
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
    await writing(this.deps, () =>
      this.deps.database.run('UPDATE value_holders SET expires_at = ? WHERE session = ? AND expires_at > ?', now + ms, session, now),
    );
  }

  async clear(session: string): Promise<void> {
    await writing(this.deps, () => this.deps.database.run('DELETE FROM value_holders WHERE session = ?', session));
  }

  #write<T>({ bytes }: NewValue, write: () => T): Promise<T> {
    return this.deps.capacity.admit('creation', bytes, () => writing(this.deps, write));
  }

  #put({ session, name, json, bytes, account }: NewValue): void {
    const now = this.deps.clock();
    this.#removeIfExpired(session);
    const others = this.deps.database.get(
      'SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM session_values WHERE session = ? AND name <> ?',
      session,
      name,
    ) as { count: number; bytes: number };
    if (others.count >= FIELD_LIMITS.sessionValues) throw sessionFull('too-many');
    const total = others.bytes + bytes;
    if (total > FIELD_LIMITS.sessionBytes) throw sessionFull('too-large');
    const held = this.deps.database.get('SELECT account, bytes FROM value_holders WHERE session = ?', session) as
      { account: string; bytes: number } | undefined;
    const own = held?.account === account ? held.bytes : 0;
    if (bytesOfAccount(this.deps.database, account, now) - own + total > this.#maxAccountBytes) throw accountFull(this.#maxAccountBytes);
    if (held === undefined) removeExpired(this.deps.database, 'value_holders', now);
    this.deps.database.run(
      `INSERT INTO value_holders (session, account, bytes, expires_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (session) DO UPDATE SET account = excluded.account, bytes = excluded.bytes`,
      session,
      account,
      total,
      now + this.#ttlMs,
    );
    this.deps.database.run(
      `INSERT INTO session_values (session, name, bytes, json) VALUES (?, ?, ?, ?)
       ON CONFLICT (session, name) DO UPDATE SET bytes = excluded.bytes, json = excluded.json`,
      session,
      name,
      bytes,
      json,
    );
  }

  async #newValue(session: string, name: string, value: Json, account: string): Promise<NewValue> {
    const json = await keptValue(this.deps.codec, value, { session, name, account });
    return { session, name, json, bytes: Buffer.byteLength(name) + Buffer.byteLength(json), account };
  }

  #removeIfExpired(session: string): void {
    this.deps.database.run('DELETE FROM value_holders WHERE session = ? AND expires_at <= ?', session, this.deps.clock());
  }
}
