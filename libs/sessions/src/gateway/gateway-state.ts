import type { ClientResponseStore } from './client-response-store.js';
import type { DeliveryLeaseStore } from './delivery-lease-store.js';
import type { ControlChannels } from './control-channels.js';
import type { Heartbeats } from './heartbeats.js';
import type { ShownLists } from './shown-lists.js';
import type { OutcomeStore } from './outcome-store.js';
import type { RateStore } from './rate-store.js';
import type { SessionStore } from './session.js';
import type { StreamStore } from './stream-store.js';

/** What the gateways of a deployment share, beside tasks. */
export interface GatewayState {
  readonly sessions: SessionStore;
  /** For how long a gateway may go by a session that it has read, in milliseconds; 0 where reading one costs nothing. */
  readonly sessionKeptMs: number;
  readonly streams: StreamStore;
  readonly deliveryLeases: DeliveryLeaseStore;
  readonly clientResponses: ClientResponseStore;
  readonly heartbeats: Heartbeats;
  readonly shownLists: ShownLists;
  readonly rates: RateStore;
  readonly outcomes: OutcomeStore;
  /** The secret that they sign and seal with, unless they are given one. @throws TaskError `STORE_UNAVAILABLE` */
  secret(): Promise<string>;
  /** The channels between them, for one of them. */
  controlOf(gatewayId: string): ControlChannels;
}
