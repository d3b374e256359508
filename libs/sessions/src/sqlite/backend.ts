import { openSqlite, type Sqlite } from '@longhaul/sqlite';
import { type Clock, createMemoryTasks } from '@longhaul/tasks';
import type { Backend, SessionLimits } from '../backend.js';
import { LOCAL_CHANNELS } from '../local-channels.js';
import { createSessionNotifications } from '../session-notifications.js';
import { type DataFile, dataFile } from './data-file.js';
import { SqliteOwnerRecords } from './owner-records.js';
import { SESSIONS_SCHEMA } from './schema.js';
import { SqliteSessionState } from './session-state.js';
import { SqliteSignals } from './signals.js';

/** Settings of `openSqliteBackend`. */
export interface SqliteBackendOptions extends SessionLimits {
  readonly path: string;
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock;
}

/** A backend in a data file, which several processes of one machine may have open. */
export interface SqliteBackend extends Backend {
  readonly sqlite: Sqlite;
  /** The same file, for what a gateway keeps beside tasks (sessions, SSE streams). Closed with the backend. */
  readonly file: DataFile;
}

/**
 * Opens the file, or makes it.
 *
 * @throws Error with one line that says what to do: the file cannot be opened, is something else, or is of a newer version
 */
export async function openSqliteBackend({ sessionTtlMs, accountSessionBytes, ...options }: SqliteBackendOptions): Promise<SqliteBackend> {
  const { clock = Date.now } = options;
  const sqlite = await openSqlite(options);
  await sqlite.bringForward(SESSIONS_SCHEMA);
  const file = dataFile(sqlite.database);
  const signals = new SqliteSignals(sqlite.channels);
  return {
    ...createMemoryTasks(options),
    sqlite,
    file,
    ownerRecords: new SqliteOwnerRecords({ file, clock, maxAccountBytes: accountSessionBytes }),
    sessionState: new SqliteSessionState({ file, clock, ttlMs: sessionTtlMs, maxAccountBytes: accountSessionBytes }),
    sessionNotifications: createSessionNotifications(signals, LOCAL_CHANNELS),
    signals,
    close: () => sqlite.close(),
  };
}
