import type { SessionLimits, Store } from '@longhaul/sessions';
import { sealedState } from '@longhaul/sessions/gateway';
import {
  createSessionNotifications,
  featureSignals,
  LOCAL_CHANNELS,
  sealedRecords,
  sealedHolds,
  sealedReports,
  SESSION_STATE_TTL_MS,
} from '@longhaul/sessions/store';
import { openSqlite, openSqliteInMemory, type Sqlite, type SqliteOptions } from '@longhaul/sqlite';
import { createSqliteGatewayState } from './gateway/gateway-state.js';
import { type SqliteTasks, sqliteTasks, type SqliteTasksOptions } from './tasks/tasks.js';
import { SCHEMA } from './schema.js';
import { SqliteAllotments } from './sessions/allotments.js';
import { SqliteHolds } from './sessions/holds.js';
import { SqliteOwnerRecords } from './sessions/owner-records.js';
import { SqliteProcessReports } from './sessions/process-reports.js';
import { SqliteSessionSlots } from './sessions/session-slots.js';
import { SqliteSessionState } from './sessions/session-state.js';
import { SqliteSignals } from './sessions/signals.js';

/** How data is kept. */
interface KeepingOptions extends SqliteTasksOptions, SessionLimits {}

/** Settings of `openSqliteStore`. */
export interface SqliteStoreOptions extends KeepingOptions, Omit<SqliteOptions, 'schema'> {}

/** The whole store in a data file, which several processes of one machine may have open. */
export interface SqliteStore extends Store, Pick<SqliteTasks, 'sqlite'> {}

/**
 * Opens the file, and makes its tables if it is new.
 *
 * @throws Error with one line that says what to do: the file cannot be made or opened, is another kind of file, or is of another version
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  return storeIn(await openSqlite({ ...options, schema: SCHEMA }), options);
}

/**
 * Opens a store in the memory of this process, for simulations and tests: it is empty, no other process sees it, and it is gone when it is
 * closed.
 *
 * @param options `onError` ignores errors by default
 */
export function openMemoryStore(options: Partial<Omit<KeepingOptions, 'maxBytes'>> = {}): SqliteStore {
  const { onError = () => undefined } = options;
  return storeIn(openSqliteInMemory({ schema: SCHEMA, onError }), { ...options, onError });
}

function storeIn(sqlite: Sqlite, { sessionTtlMs, accountSessionBytes, ...options }: KeepingOptions): SqliteStore {
  const tasks = sqliteTasks(sqlite, options);
  const { capacity, codec } = tasks;
  const file = { database: sqlite.database, channels: sqlite.channels, clock: options.clock ?? Date.now, capacity };
  const signals = new SqliteSignals(sqlite.channels);
  const sessions = {
    ownerRecords: sealedRecords(new SqliteOwnerRecords({ ...file, maxAccountBytes: accountSessionBytes }), codec),
    processReports: sealedReports(new SqliteProcessReports(file), codec),
    sessionSlots: new SqliteSessionSlots(file, sessionTtlMs),
    sessionState: new SqliteSessionState({ ...file, codec, ttlMs: sessionTtlMs, maxAccountBytes: accountSessionBytes }),
    sessionNotifications: createSessionNotifications(signals, LOCAL_CHANNELS),
    signals,
    featureSignals: featureSignals(signals, 'local'),
    allotments: new SqliteAllotments(file),
    holds: sealedHolds(new SqliteHolds(file), codec),
  };
  const sessionIdleMs = sessionTtlMs ?? SESSION_STATE_TTL_MS;
  const gateway = createSqliteGatewayState({ ...sessions, file, capacity }, sessionIdleMs);
  return { ...tasks, ...sessions, gateway: sealedState(gateway, codec) };
}
