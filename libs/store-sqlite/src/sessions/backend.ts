import { createSessionNotifications, LOCAL_CHANNELS, sealedRecords } from '@longhaul/sessions/store';
import type { Backend, SessionLimits } from '@longhaul/sessions';
import { openSqliteTasks, type SqliteTasks, type SqliteTasksOptions } from '../tasks/backend.js';
import { SqliteOwnerRecords } from './owner-records.js';
import { SqliteSessionPlaces } from './session-places.js';
import { SqliteSessionState } from './session-state.js';
import { SqliteSignals } from './signals.js';

/** Settings of `openSqliteBackend`. */
export interface SqliteBackendOptions extends SqliteTasksOptions, SessionLimits {}

/** A backend in a data file, which several processes of one machine may have open. */
export interface SqliteBackend extends Backend, Pick<SqliteTasks, 'sqlite'> {}

/**
 * Opens the file, and makes its tables if it is new.
 *
 * @throws Error with one line that says what to do: the file cannot be made or opened, is something else, or is of another version
 */
export async function openSqliteBackend({ sessionTtlMs, accountSessionBytes, ...options }: SqliteBackendOptions): Promise<SqliteBackend> {
  const tasks = await openSqliteTasks(options);
  const { sqlite, capacity, codec } = tasks;
  const file = { database: sqlite.database, channels: sqlite.channels, clock: options.clock ?? Date.now, capacity };
  const signals = new SqliteSignals(sqlite.channels);
  return {
    ...tasks,
    ownerRecords: sealedRecords(new SqliteOwnerRecords({ ...file, maxAccountBytes: accountSessionBytes }), codec),
    sessionPlaces: new SqliteSessionPlaces(file, sessionTtlMs),
    sessionState: new SqliteSessionState({ ...file, codec, ttlMs: sessionTtlMs, maxAccountBytes: accountSessionBytes }),
    sessionNotifications: createSessionNotifications(signals, LOCAL_CHANNELS),
    signals,
  };
}
