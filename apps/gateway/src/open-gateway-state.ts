import { openSqliteGatewayState } from '@longhaul/store-sqlite';
import { type GatewayState, sealedState } from '@longhaul/sessions/gateway';
import type { LastingBackend } from '@longhaul/store';

/** What the state is kept under, and for how long. */
interface StateConfig {
  readonly keyPrefix: string;
  readonly sessionIdleMs: number;
}

/**
 * What gateways share, where the backend keeps its own things.
 *
 * @throws Error with one line, when the data file is of a newer version
 */
export async function openGatewayState(backend: LastingBackend, config: StateConfig): Promise<GatewayState> {
  const { codec } = backend;
  if (!('redis' in backend)) return sealedState(await openSqliteGatewayState(backend, config), codec);
  const { createRedisGatewayState } = await import('@longhaul/store-redis');
  return sealedState(createRedisGatewayState(backend, config), codec);
}
