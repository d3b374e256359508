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
