/** The ports through which the gateways of a deployment know about each other: channels, heartbeats and the lists that they show. */
import type { FeatureList } from '../client-notifications.js';
import type { Signals } from '../ports/signals.js';

/** Names the channels between gateways. */
export interface ControlChannels {
  readonly signals: Signals;
  /** The channel on which all gateways listen. */
  readonly all: string;
  /** The channel of this gateway. */
  readonly own: string;
  /** The channel of a given gateway. */
  readonly of: (gatewayId: string) => string;
}

/** How long a gateway counts as alive after a heartbeat: three heartbeats may get lost. */
export const ALIVE_FOR_MS = 6_000;

/**
 * Stores heartbeats where all gateways see them. Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be
 * reached.
 */
export interface Heartbeats {
  /** The gateway counts as alive for `ALIVE_FOR_MS` from now. */
  beat(gatewayId: string): Promise<void>;
  /** The gateway is no longer alive. */
  stop(gatewayId: string): Promise<void>;
  isAlive(gatewayId: string): Promise<boolean>;
}

/** A hash of each list. */
export type ListHashes = Readonly<Record<FeatureList, string>>;

/** The lists of the gateway that started last in the deployment. */
export interface ShownLists {
  /** Empty before the first gateway. */
  read(): Promise<Readonly<Partial<ListHashes>>>;
  write(hashes: ListHashes): Promise<void>;
}
