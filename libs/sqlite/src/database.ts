/**
 * Opens one data file in one process; several processes may have it open. Reads and writes are synchronous calls in the caller's event
 * loop. With the file in the page cache they take some ten microseconds each, so each statement must touch only a bounded number of rows by
 * an index. Readers never wait for writers, and writers never wait for readers (WAL). Writers write one at a time. A writer that must wait
 * for another process first waits outside the event loop; after a longer wait it blocks the event loop for a moment at a time, because on
 * an overloaded machine an occasional try would find the file locked each time.
 */
import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { isBusy, SqliteBusyError, SqliteGoneError } from './fault.js';
import { nodeSqlite } from './node-sqlite.js';

/** How long other processes may keep the file locked before writes fail, milliseconds. */
export const BUSY_LIMIT_MS = 5_000;
/** A write fails only after it has found the file locked this often: a process that was blocked itself has not waited for others. */
const LEAST_TRIES = 20;
/** A write that has waited this long may block the event loop to get the lock, milliseconds. */
const SHORT_WAIT_MS = 20;
/** How long the event loop is blocked at once, milliseconds. */
const HOLD_UP_MS = 20;
/** How long a waiting write pauses before it tries again, milliseconds. */
export const RETRY_MS = 1;

/** How long a read waits, milliseconds: only while a file is recovered after a crash, or closed by the last process that had it open. */
export const READ_BUSY_MS = 500;

/** A row by the names of its columns. The author of the statement knows the types, and states them by a type assertion. */
export type Row = Record<string, SQLOutputValue>;

/** A write that waits for the lock. */
interface Waiting {
  /** @param patienceMs how long it may block the event loop */
  attempt(patienceMs: number): boolean;
  reject(error: unknown): void;
  readonly since: number;
}

/**
 * Statements and transactions on a data file. A failed call throws the error of SQLite: see `faultOf`. Values replace question marks in
 * their order; Node 22 gives numbered ones (`?1`) no value.
 */
export class SqliteDatabase {
  #database: DatabaseSync;
  #statements: Map<string, StatementSync>;
  readonly #waiting: Waiting[] = [];
  /** The identity of the open file: its path may later name no file, or another one. */
  readonly #identity: string | undefined;
  /** Since when each try has found the file locked by another process. */
  #locked: { readonly since: number; tries: number } | undefined;
  /** The last seen `data_version`. */
  #version: SQLOutputValue | undefined;

  /** @param path of the file, absolute */
  constructor(
    database: DatabaseSync,
    readonly path: string,
    statements = new Map<string, StatementSync>(),
  ) {
    this.#database = database;
    this.#statements = statements;
    this.#identity = identityOf(path);
  }

  /** The first row, or nothing. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...values);
  }

  /** All rows. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...values);
  }

  /** Reads row by row, for a caller that may stop early. The same statement must not be used until the iteration has ended. */
  iterate(sql: string, ...values: SQLInputValue[]): Iterable<Row> {
    return this.#prepared(sql).iterate(...values);
  }

  /** @returns how many rows were changed */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  /** Runs statements without values that are needed once. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /**
   * Runs reads and writes as one transaction, alone among all processes: all of it is written, or nothing. It runs at once when no other
   * write runs, otherwise in the order of the calls.
   *
   * @param run synchronous. If it throws, the transaction throws the same, and nothing is written. It must not call `transaction` of any
   * database
   * @throws SqliteBusyError when others have kept the file locked for 5 s
   */
  async transaction<T>(run: () => T): Promise<T> {
    if (this.#waiting.length === 0) {
      const done = this.#attempt(run, 0);
      if (done !== undefined) return done.value;
    }
    return this.#wait(run);
  }

  /** Whether another connection has written since the last call. */
  wasWrittenByOthers(): boolean {
    const version = this.get('PRAGMA data_version')?.['data_version'];
    const changed = this.#version !== undefined && version !== this.#version;
    this.#version = version;
    return changed;
  }

  /**
   * @throws SqliteGoneError when the path no longer names this file: written data would disappear with the last process that has it open
   */
  requireInPlace(): void {
    if (identityOf(this.path) !== this.#identity) throw new SqliteGoneError(this.path);
  }

  close(): void {
    if (!this.isOpen) return;
    this.#database.close();
    this.#statements.clear();
  }

  protected get isOpen(): boolean {
    return this.#database.isOpen;
  }

  /** Leaves the connection to another user. */
  protected leave(): void {
    this.#database = new (nodeSqlite().DatabaseSync)(this.path, { open: false });
    this.#statements = new Map();
  }

  #wait<T>(run: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const attempt = (patienceMs: number): boolean => {
      const done = this.#attempt(run, patienceMs);
      if (done !== undefined) resolve(done.value);
      return done !== undefined;
    };
    if (this.#waiting.push({ attempt, reject, since: performance.now() }) === 1) setTimeout(() => this.#retry(), RETRY_MS);
    return promise;
  }

  /**
   * Runs waiting writes, in order, until it finds the file locked by another process again or has blocked the event loop for long enough.
   */
  #retry(): void {
    const until = performance.now() + HOLD_UP_MS;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const now = performance.now();
      if (now >= until) break;
      try {
        if (!first.attempt(now - first.since < SHORT_WAIT_MS ? 0 : until - now)) break;
      } catch (error) {
        first.reject(error);
      }
      this.#waiting.shift();
    }
    this.#giveUp();
    if (this.#waiting.length > 0) setTimeout(() => this.#retry(), RETRY_MS);
  }

  /** Fails the writes that have reached their time limit, when other processes have kept the file locked all that time. */
  #giveUp(): void {
    const now = performance.now();
    if (this.#locked === undefined || this.#locked.tries < LEAST_TRIES || now - this.#locked.since < BUSY_LIMIT_MS) return;
    while (this.#waiting[0] !== undefined && now - this.#waiting[0].since >= BUSY_LIMIT_MS)
      this.#waiting.shift()?.reject(new SqliteBusyError(this.path, BUSY_LIMIT_MS));
  }

  /** @returns nothing when another process has the lock */
  #attempt<T>(run: () => T, patienceMs: number): { readonly value: T } | undefined {
    if (!this.#begin(patienceMs)) return undefined;
    try {
      const value = run();
      this.run('COMMIT');
      return { value };
    } catch (error) {
      // If there is no room, SQLite has ended the transaction already.
      if (this.#database.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  /** SQLite sleeps while it waits, and blocks the event loop: so it waits here only for the permitted time. */
  #begin(patienceMs: number): boolean {
    this.get(`PRAGMA busy_timeout = ${Math.floor(patienceMs)}`);
    try {
      this.run('BEGIN IMMEDIATE');
      this.#locked = undefined;
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      this.#locked ??= { since: performance.now(), tries: 0 };
      this.#locked.tries += 1;
      return false;
    } finally {
      this.get(`PRAGMA busy_timeout = ${READ_BUSY_MS}`);
    }
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}
