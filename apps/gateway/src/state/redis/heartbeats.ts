import type { GatewayKeys } from './session-keys.js';
import { answered, type RunScript, type ScriptRedis, scriptOn } from './scripts/script.js';
import { ALIVE_FOR_MS, type Heartbeats } from '../cluster/presence.js';

/** The commands of Redis that heartbeats need. */
export interface HeartbeatRedis extends ScriptRedis {
  del(key: string): Promise<number>;
  exists(key: string): Promise<number>;
}

/** A script, because a plain SET is refused when Redis is out of memory, and a gateway that serves is not dead then. */
const BEAT = `
local gateway = KEYS[1]
local process_id, alive_for_ms = ARGV[1], ARGV[2]
return redis.call('SET', gateway, process_id, 'PX', alive_for_ms)
`;

/** Heartbeats as keys that expire. */
export class RedisHeartbeats implements Heartbeats {
  readonly #beat: RunScript;

  constructor(private readonly deps: { readonly redis: HeartbeatRedis; readonly keys: GatewayKeys }) {
    this.#beat = scriptOn(deps.redis, BEAT);
  }

  async beat(gatewayId: string): Promise<void> {
    await this.#beat([this.deps.keys.gateway(gatewayId)], [process.pid, ALIVE_FOR_MS]);
  }

  async stop(gatewayId: string): Promise<void> {
    await answered(this.deps.redis.del(this.deps.keys.gateway(gatewayId)));
  }

  async isAlive(gatewayId: string): Promise<boolean> {
    return (await answered(this.deps.redis.exists(this.deps.keys.gateway(gatewayId)))) === 1;
  }
}
