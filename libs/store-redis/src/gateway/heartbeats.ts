import { ALIVE_FOR_MS, type Heartbeats } from '@longhaul/sessions/gateway';
import { defineScript, type RedisClient, type RunScript, script } from '@longhaul/redis';
import { whileReachable } from '../tasks/store-fault.js';
import type { GatewayKeys } from '../keys/gateway.js';

/** A script, because a plain SET is refused when Redis is out of memory, and a gateway that serves must not count as dead then. */
const BEAT = script({
  keys: ['gateway'],
  numbers: ['processId', 'aliveForMs'],
  lua: `redis.call('SET', gateway, process_id, 'PX', alive_for_ms)`,
});

/** Stores heartbeats as keys that expire. */
export class RedisHeartbeats implements Heartbeats {
  readonly #beat: RunScript<typeof BEAT>;

  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: GatewayKeys }) {
    this.#beat = defineScript(deps.redis, BEAT);
  }

  async beat(gatewayId: string): Promise<void> {
    const keys = { gateway: this.deps.keys.gateway(gatewayId) };
    await whileReachable(() => this.#beat(keys, { processId: process.pid, aliveForMs: ALIVE_FOR_MS }));
  }

  async stop(gatewayId: string): Promise<void> {
    await whileReachable(() => this.deps.redis.del(this.deps.keys.gateway(gatewayId)));
  }

  async isAlive(gatewayId: string): Promise<boolean> {
    return (await whileReachable(() => this.deps.redis.exists(this.deps.keys.gateway(gatewayId)))) === 1;
  }
}
