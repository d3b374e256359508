import { type GatewayState, keepBelongings } from '@longhaul/sessions/gateway';
import type { SqliteBackend } from '../sessions/backend.js';
import type { TaskFile } from '../tasks/task-file.js';
import { type Clock, wholeMs } from '@longhaul/tasks';
import { SqliteClientResponseStore } from './client-response-store.js';
import { SqliteDeliveryLeaseStore } from './delivery-lease-store.js';
import { SqliteHeartbeats } from './heartbeats.js';
import { SqliteOutcomeStore } from './outcome-store.js';
import { SqliteRateStore } from './rate-store.js';
import { createSqliteSessionStore } from './session-store.js';
import { sharedSecret } from './shared-secret.js';
import { SqliteShownLists } from './shown-lists.js';
import { SqliteStreamStore } from './stream-store.js';

/** How long sessions are kept, and by which clock. */
export interface SqliteGatewayStateOptions {
  readonly sessionIdleMs: number;
  readonly clock?: Clock;
}

/**
 * State in the data file of the backend, for any number of gateways on it.
 *
 * @throws Error with one line, when the file is of a newer version
 */
export async function openSqliteGatewayState(
  backend: Pick<SqliteBackend, 'sqlite' | 'capacity' | 'signals' | 'sessionState' | 'ownerRecords' | 'sessionPlaces'>,
  { sessionIdleMs, clock = Date.now }: SqliteGatewayStateOptions,
): Promise<GatewayState> {
  const { sqlite, capacity, signals } = backend;
  const file: TaskFile = { database: sqlite.database, channels: sqlite.channels, clock };
  return {
    sessions: createSqliteSessionStore({
      file,
      capacity,
      idleMs: sessionIdleMs,
      onKept: (id, ms) => keepBelongings(backend, id, wholeMs(ms)),
    }),
    sessionKeptMs: 0,
    streams: new SqliteStreamStore({ ...file, capacity, signals }),
    deliveryLeases: new SqliteDeliveryLeaseStore(file),
    clientResponses: new SqliteClientResponseStore(file),
    heartbeats: new SqliteHeartbeats(file),
    shownLists: new SqliteShownLists(file),
    rates: new SqliteRateStore(file),
    outcomes: new SqliteOutcomeStore(file),
    secret: () => sharedSecret(file),
    controlOf: (gatewayId) => ({ signals, all: 'gateways', own: `gateways:${gatewayId}`, of: (id) => `gateways:${id}` }),
  };
}
