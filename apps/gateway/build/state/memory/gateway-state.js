import { randomBytes } from 'node:crypto';
import { MemoryClientResponseStore } from './client-response-store.js';
import { MemoryDeliveryLeaseStore } from './delivery-lease-store.js';
import { MemoryHeartbeats } from './heartbeats.js';
import { MemoryOutcomeStore } from './outcome-store.js';
import { MemoryRateStore } from './rate-store.js';
import { createMemorySessionStore } from './session-store.js';
import { keepBelongings } from '../session-belongings.js';
import { MemoryShownLists } from './shown-lists.js';
import { MemoryStreamStore } from './stream-store.js';
/** State of one process, gone with it. For tests. */
export function createMemoryGatewayState(backend, { sessionIdleMs, clock = Date.now }) {
    const { signals } = backend;
    const secret = randomBytes(32).toString('base64url');
    return {
        sessions: createMemorySessionStore({
            clock,
            idleMs: sessionIdleMs,
            onKept: (id, ms) => keepBelongings(backend, id, ms),
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
//# sourceMappingURL=gateway-state.js.map