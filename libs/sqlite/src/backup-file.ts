/**
 * Backups of a data file. A backup is a data file too: a copy as of one moment, made while other processes read and write, with a table of
 * the values that are kept apart from the file.
 */
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { nodeSqlite } from './node-sqlite.js';
import { hasTables, type Schema } from './schema.js';

const VALUES = 'backed_up_values';

/** How much a backup has. */
export interface BackupCounts {
  readonly tasks: number;
  readonly events: number;
  /** Files of large values. */
  readonly values: number;
}

/** Copies a data file to a new file of this user alone, as it is at this moment. @throws Error when it cannot be read or written */
export function copyDataFile(from: string, to: string): void {
  closeSync(openSync(to, 'wx', 0o600));
  const database = new (nodeSqlite().DatabaseSync)(from);
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    database.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  } finally {
    database.close();
  }
}

/** Whether a process has the data file open. */
export async function isInUse(path: string): Promise<boolean> {
  const database = new (nodeSqlite().DatabaseSync)(path);
  try {
    const peers = database.prepare('SELECT address FROM peers').all() as { address: string }[];
    const listens = await Promise.all(peers.map(({ address }) => isListening(address)));
    return listens.includes(true);
  } finally {
    database.close();
  }
}

/** Writes what a closed data file still has in files next to it into the file itself. */
export function settleDataFile(path: string): void {
  const database = new (nodeSqlite().DatabaseSync)(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
  database.close();
}

/** A backup that is open. */
export class BackupFile {
  readonly #database: DatabaseSync;

  /** @throws Error with one line when it is no data file of this version */
  constructor(
    readonly path: string,
    schema: Schema,
  ) {
    this.#database = new (nodeSqlite().DatabaseSync)(path);
    try {
      const get = (sql: string) => this.#database.prepare(sql).get();
      if (!hasTables({ path, get }, schema.version)) throw new Error(`${path} is no backup of Longhaul.`);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** The secret that the gateways share. */
  get secret(): string | undefined {
    const row = this.#database.prepare("SELECT secret FROM secrets WHERE name = 'gateways'").get();
    return row && String(row['secret']);
  }

  /** Adds a value. */
  addValue(path: string, bytes: Uint8Array): void {
    this.#database.exec(`CREATE TABLE IF NOT EXISTS ${VALUES} (path TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT`);
    this.#database.prepare(`INSERT INTO ${VALUES} VALUES (?, ?)`).run(path, bytes);
  }

  /** All values, one after the other. */
  *values(): Generator<{ readonly path: string; readonly bytes: Uint8Array }> {
    if (!this.#hasValues()) return;
    for (const row of this.#database.prepare(`SELECT path, bytes FROM ${VALUES}`).iterate())
      yield { path: String(row['path']), bytes: row['bytes'] as Uint8Array };
  }

  /** Makes it the data file of a deployment that is not running: without values, and without the processes that had it open. */
  become(): void {
    this.#database.exec(`DELETE FROM peers; DROP TABLE IF EXISTS ${VALUES}; VACUUM`);
  }

  /** Reads all of it. @throws Error with one line when something is damaged */
  verify(): BackupCounts {
    const check = String(this.#database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']);
    if (check !== 'ok') throw new Error(`${this.path} is damaged: ${check}`);
    const dangling = this.#database.prepare('PRAGMA foreign_key_check').get();
    if (dangling !== undefined) throw new Error(`${this.path} is damaged: a row of ${String(dangling['table'])} refers to nothing`);
    return { tasks: this.#count('tasks'), events: this.#count('events'), values: this.#hasValues() ? this.#count(VALUES) : 0 };
  }

  close(): void {
    this.#database.close();
  }

  #hasValues(): boolean {
    return this.#database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(VALUES) !== undefined;
  }

  #count(table: string): number {
    return Number(this.#database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']);
  }
}

/** Has the disk keep a file and its name. */
export function syncToDisk(path: string): void {
  for (const each of [path, dirname(path)]) {
    const file = openSync(each, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

async function isListening(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // Nobody listens: the process has ended.
    return false;
  } finally {
    socket.destroy();
  }
}
