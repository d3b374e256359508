import { randomBytes } from 'node:crypto';
import type { SessionBackend } from '../../whole-store.js';
import { type Clock, wholeMs } from '@longhaul/tasks';
import type { GatewayState } from '../../gateway/gateway-state.js';
import { MemoryClientResponseStore } from './client-response-store.js';
import { MemoryDeliveryLeaseStore } from './delivery-lease-store.js';
import { MemoryHeartbeats } from './heartbeats.js';
import { MemoryOutcomeStore } from './outcome-store.js';
import { MemoryRateStore } from './rate-store.js';
import { createMemorySessionStore } from './session-store.js';
import { keepBelongings } from '../../gateway/session-belongings.js';
import { MemoryShownLists } from './shown-lists.js';
import { MemoryStreamStore } from './stream-store.js';

/** How long sessions are kept, and by which clock. */
export interface MemoryGatewayStateOptions {
  readonly sessionIdleMs: number;
  readonly clock?: Clock;
}

/** State of one process, gone with it. For tests. */
export function createMemoryGatewayState(
  backend: Pick<SessionBackend, 'signals' | 'sessionState' | 'ownerRecords' | 'sessionPlaces'>,
  { sessionIdleMs, clock = Date.now }: MemoryGatewayStateOptions,
): GatewayState {
  const { signals } = backend;
  const secret = randomBytes(32).toString('base64url');
  return {
    sessions: createMemorySessionStore({
      clock,
      idleMs: sessionIdleMs,
      onKept: (id, ms) => keepBelongings(backend, id, wholeMs(ms)),
    }),
    sessionKeptMs: 0,
    streams: new MemoryStreamStore({ clock, signals }),
    deliveryLeases: new MemoryDeliveryLeaseStore(clock),
    clientResponses: new MemoryClientResponseStore(clock),
    heartbeats: new MemoryHeartbeats(clock),
    shownLists: new MemoryShownLists(),
    rates: new MemoryRateStore(clock),
    outcomes: new MemoryOutcomeStore(clock),
    secret: () => Promise.resolve(secret),
    controlOf: (gatewayId) => ({ signals, all: 'gateways', own: `gateways:${gatewayId}`, of: (id) => `gateways:${id}` }),
  };
}
