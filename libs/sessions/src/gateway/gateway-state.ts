import type { ClientResponseStore } from './client-response-store.js';
import type { DeliveryLeaseStore } from './delivery-lease-store.js';
import type { ControlChannels, Heartbeats, ShownLists } from './cluster.js';
import type { OutcomeStore } from './outcome-store.js';
import type { RateStore } from './rate-store.js';
import type { SessionStore } from './session.js';
import type { StreamStore } from './stream-store.js';

/** The state that the gateways of a deployment share, apart from tasks. */
export interface GatewayState {
  readonly sessions: SessionStore;
  /** How long a gateway may use a session that it has read, in milliseconds; 0 if reading one costs nothing. */
  readonly sessionKeptMs: number;
  readonly streams: StreamStore;
  readonly deliveryLeases: DeliveryLeaseStore;
  readonly clientResponses: ClientResponseStore;
  readonly heartbeats: Heartbeats;
  readonly shownLists: ShownLists;
  readonly rates: RateStore;
  readonly outcomes: OutcomeStore;
  /** The secret that gateways sign and seal with, unless they are configured with one. @throws TaskError `STORE_UNAVAILABLE` */
  secret(): Promise<string>;
  /** The channels between gateways, for one of them. */
  controlOf(gatewayId: string): ControlChannels;
}
