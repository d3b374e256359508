import type { Signals } from '@longhaul/sessions';
import { type Belongings, type GatewayState, keepBelongings } from '@longhaul/sessions/gateway';
import { type StoreCapacity, wholeMs } from '@longhaul/tasks';
import { randomBytes } from 'node:crypto';
import { type TaskFile, writing } from '../tasks/task-file.js';
import { SqliteClientResponseStore } from './client-response-store.js';
import { SqliteDeliveryLeaseStore } from './delivery-lease-store.js';
import { SqliteHeartbeats } from './heartbeats.js';
import { SqliteOutcomeStore } from './outcome-store.js';
import { SqliteRateStore } from './rate-store.js';
import { createSqliteSessionStore } from './session-store.js';
import { SqliteShownLists } from './shown-lists.js';
import { SqliteStreamStore } from './stream-store.js';

/** Dependencies of the state. */
export interface SqliteGatewayStateDeps extends Belongings {
  readonly file: TaskFile;
  readonly capacity: StoreCapacity;
  readonly signals: Signals;
}

/** The shared state of gateways in the data file, for any number of gateways that have it open. */
export function createSqliteGatewayState(deps: SqliteGatewayStateDeps, sessionIdleMs: number): GatewayState {
  const { file, capacity, signals } = deps;
  return {
    sessions: createSqliteSessionStore({
      file,
      capacity,
      idleMs: sessionIdleMs,
      onKept: (id, ms) => keepBelongings(deps, id, wholeMs(ms)),
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

/** The secret that all gateways on the file share. The first gateway draws it; it stays for ever. */
async function sharedSecret(file: TaskFile): Promise<string> {
  const drawn = randomBytes(32).toString('base64url');
  return writing(file, () => {
    file.database.run("INSERT OR IGNORE INTO secrets (name, secret) VALUES ('gateways', ?)", drawn);
    return (file.database.get("SELECT secret FROM secrets WHERE name = 'gateways'") as { secret: string }).secret;
  });
}
