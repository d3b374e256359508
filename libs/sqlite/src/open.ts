import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SqliteChannels } from './channels.js';
import { BUSY_LIMIT_MS, READ_BUSY_MS, RETRY_MS, SqliteDatabase } from './database.js';
import { isBusy, isNoDatabase } from './fault.js';
import { nodeSqlite } from './node-sqlite.js';
import { makeTables, type Schema } from './schema.js';

/**
 * The point at which a write is complete. `normal`: the operating system has the data. It survives any death of the process; a loss of
 * power may undo the last writes, but never damages the file. `full`: the disk has the data; a loss of power undoes nothing.
 */
export type SqliteSync = 'normal' | 'full';

/** Settings of `openSqlite`. */
export interface SqliteOptions {
  /** The file; it and its folder are made, for this user alone, when they are missing. */
  readonly path: string;
  /** The tables of the file. */
  readonly schema: Schema;
  /** @defaultValue `normal` */
  readonly sync?: SqliteSync;
  /** Receives errors that are reported nowhere else. */
  readonly onError: (error: unknown) => void;
}

/** A data file that is open in this process, and the channels between the processes that have it open. */
export interface Sqlite {
  readonly database: SqliteDatabase;
  readonly channels: SqliteChannels;
  /** Whether other processes can have it open; one that they cannot is in memory. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

/** The size in bytes to which a WAL is cut back after a burst of writes. */
const WAL_KEPT_BYTES = 16 * 2 ** 20;

/**
 * Opens a data file, and joins the channels of the processes that have it open.
 *
 * @throws Error with one line that says what to do: the file cannot be made or opened, is not a data file, has tables of another version,
 * or is where processes cannot share it
 */
export async function openSqlite({ path, schema, sync = 'normal', onError }: SqliteOptions): Promise<Sqlite> {
  const database = await openFile(path, sync);
  const channels = new SqliteChannels({ database, onError, isShared: true });
  try {
    await makeTables(database, schema);
    await channels.start();
    return {
      database,
      channels,
      isShared: true,
      close: async () => {
        await channels.close();
        database.close();
      },
    };
  } catch (error) {
    await channels.close();
    database.close();
    throw error;
  }
}

async function openFile(path: string, sync: SqliteSync): Promise<SqliteDatabase> {
  const { DatabaseSync } = nodeSqlite();
  let opened: SqliteDatabase | undefined;
  try {
    const file = fileOf(path);
    const database = new SqliteDatabase(new DatabaseSync(file), file);
    opened = database;
    const mode = await whileBusy(() => database.get('PRAGMA journal_mode = WAL')?.['journal_mode']);
    if (mode !== 'wal') throw new Error('it lies where processes cannot share it, such as on a network drive');
    database.exec(`PRAGMA busy_timeout = ${READ_BUSY_MS}; PRAGMA synchronous = ${sync}; PRAGMA journal_size_limit = ${WAL_KEPT_BYTES}`);
    return database;
  } catch (error) {
    opened?.close();
    const reason = isNoDatabase(error) ? 'it is no data file' : error instanceof Error ? error.message : String(error);
    throw new Error(`The data file ${path} cannot be opened: ${reason}. Set LONGHAUL_DATA_DIR to another folder, or move the file away.`, {
      cause: error,
    });
  }
}

/** While other processes make the file, or close it as the last ones, it is locked, and SQLite does not always wait for them. */
async function whileBusy<T>(run: () => T): Promise<T> {
  const deadline = performance.now() + BUSY_LIMIT_MS;
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await delay(RETRY_MS);
  }
}

/** The file is made here, because SQLite would let every user read it; SQLite gives its additional files the same permissions. */
function fileOf(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // The path in the system's spelling, so that all processes use the same one if upper and lower case are equal.
  const file = join(realpathSync.native(dirname(path)), basename(path));
  // An existing file is not opened: closing it would end the locks that this process has on it by other connections.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  return file;
}
