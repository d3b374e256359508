import type { RedisClient } from '@longhaul/redis';
import type { Signals } from '@longhaul/sessions';
import { type Belongings, type GatewayState, keepBelongings } from '@longhaul/sessions/gateway';
import { type StoreCapacity, wholeMs } from '@longhaul/tasks';
import { RedisClientResponseStore } from './client-response-store.js';
import { RedisDeliveryLeaseStore } from './delivery-lease-store.js';
import { RedisHeartbeats } from './heartbeats.js';
import { RedisOutcomeStore } from './outcome-store.js';
import { RedisRateStore } from './rate-store.js';
import { gatewayKeys } from '../keys/gateway.js';
import { createRedisSessionStore } from './session-store.js';
import { sharedSecret } from './shared-secret.js';
import { RedisShownLists } from './shown-lists.js';
import { RedisStreamStore } from './stream-store.js';

/** How long a gateway keeps a session in memory, unless the idle time is shorter: a used session must be read in time. */
const SESSION_KEPT_MS = 1_000;

/** Dependencies of the state. */
export interface RedisGatewayStateDeps extends Belongings {
  readonly redis: RedisClient;
  readonly capacity: StoreCapacity;
  readonly signals: Signals;
}

/** The prefix of the state, and how long it is kept. */
export interface RedisGatewayStateOptions {
  readonly keyPrefix: string;
  readonly sessionIdleMs: number;
}

/** State in Redis, for any number of gateways. */
export function createRedisGatewayState(deps: RedisGatewayStateDeps, { keyPrefix, sessionIdleMs }: RedisGatewayStateOptions): GatewayState {
  const { redis, signals, capacity } = deps;
  const keys = gatewayKeys(keyPrefix);
  return {
    sessions: createRedisSessionStore({
      redis,
      keys,
      capacity,
      // Not the time of day, which may be set back.
      clock: () => performance.now(),
      idleMs: sessionIdleMs,
      onKept: (id, ms) => keepBelongings(deps, id, wholeMs(ms)),
    }),
    sessionKeptMs: Math.ceil(Math.min(SESSION_KEPT_MS, sessionIdleMs / 4)),
    streams: new RedisStreamStore({ redis, keys, signals, capacity }),
    deliveryLeases: new RedisDeliveryLeaseStore(redis, keys),
    clientResponses: new RedisClientResponseStore({ redis, keys }),
    heartbeats: new RedisHeartbeats({ redis, keys }),
    shownLists: new RedisShownLists({ redis, keys }),
    rates: new RedisRateStore({ redis, keys }),
    outcomes: new RedisOutcomeStore({ redis, keys }),
    secret: () => sharedSecret(redis, keys),
    controlOf: (gatewayId) => ({ signals, all: keys.control, own: keys.controlOf(gatewayId), of: (id) => keys.controlOf(id) }),
  };
}
