import type { SessionLimits, Store } from '@longhaul/sessions';
import { sealedState } from '@longhaul/sessions/gateway';
import { createSessionNotifications, LOCAL_CHANNELS, sealedRecords, SESSION_STATE_TTL_MS } from '@longhaul/sessions/store';
import { createSqliteGatewayState } from './gateway/gateway-state.js';
import { openSqliteTasks, type SqliteTasks, type SqliteTasksOptions } from './tasks/tasks.js';
import { SqliteOwnerRecords } from './sessions/owner-records.js';
import { SqliteSessionPlaces } from './sessions/session-places.js';
import { SqliteSessionState } from './sessions/session-state.js';
import { SqliteSignals } from './sessions/signals.js';

/** Settings of `openSqliteStore`. */
export interface SqliteStoreOptions extends SqliteTasksOptions, SessionLimits {}

/** Everything in a data file, which several processes of one machine may have open. */
export interface SqliteStore extends Store, Pick<SqliteTasks, 'sqlite'> {}

/**
 * Opens the file, and makes its tables if it is new.
 *
 * @throws Error with one line that says what to do: the file cannot be made or opened, is something else, or is of another version
 */
export async function openSqliteStore({ sessionTtlMs, accountSessionBytes, ...options }: SqliteStoreOptions): Promise<SqliteStore> {
  const tasks = await openSqliteTasks(options);
  const { sqlite, capacity, codec } = tasks;
  const file = { database: sqlite.database, channels: sqlite.channels, clock: options.clock ?? Date.now, capacity };
  const signals = new SqliteSignals(sqlite.channels);
  const sessions = {
    ownerRecords: sealedRecords(new SqliteOwnerRecords({ ...file, maxAccountBytes: accountSessionBytes }), codec),
    sessionPlaces: new SqliteSessionPlaces(file, sessionTtlMs),
    sessionState: new SqliteSessionState({ ...file, codec, ttlMs: sessionTtlMs, maxAccountBytes: accountSessionBytes }),
    sessionNotifications: createSessionNotifications(signals, LOCAL_CHANNELS),
    signals,
  };
  const sessionIdleMs = sessionTtlMs ?? SESSION_STATE_TTL_MS;
  const gateway = createSqliteGatewayState({ ...sessions, file, capacity }, sessionIdleMs);
  return { ...tasks, ...sessions, gateway: sealedState(gateway, codec) };
}
