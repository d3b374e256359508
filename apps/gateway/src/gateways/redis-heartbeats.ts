import type { GatewayKeys } from '../sessions/session-keys.js';
import { answered } from '../streams/scripts/script.js';
import { ALIVE_FOR_MS, type Heartbeats } from './presence.js';

/** The commands of Redis that heartbeats need. */
export interface HeartbeatRedis {
  set(key: string, value: string, unit: 'PX', ms: number): Promise<unknown>;
  del(key: string): Promise<number>;
  exists(key: string): Promise<number>;
}

/** Heartbeats as keys that expire. */
export class RedisHeartbeats implements Heartbeats {
  constructor(private readonly deps: { readonly redis: HeartbeatRedis; readonly keys: GatewayKeys }) {}

  async beat(gatewayId: string): Promise<void> {
    await answered(this.deps.redis.set(this.deps.keys.gateway(gatewayId), String(process.pid), 'PX', ALIVE_FOR_MS));
  }

  async stop(gatewayId: string): Promise<void> {
    await answered(this.deps.redis.del(this.deps.keys.gateway(gatewayId)));
  }

  async isAlive(gatewayId: string): Promise<boolean> {
    return (await answered(this.deps.redis.exists(this.deps.keys.gateway(gatewayId)))) === 1;
  }
}
