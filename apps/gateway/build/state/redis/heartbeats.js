import { defineScript, script } from '@longhaul/redis';
import { whileReachable } from '@longhaul/tasks/redis';
import { ALIVE_FOR_MS } from '../cluster/presence.js';
/** A script, because a plain SET is refused when Redis is out of memory, and a gateway that serves is not dead then. */
const BEAT = script({
    keys: ['gateway'],
    numbers: ['processId', 'aliveForMs'],
    lua: `redis.call('SET', gateway, process_id, 'PX', alive_for_ms)`,
});
/** Heartbeats as keys that expire. */
export class RedisHeartbeats {
    deps;
    #beat;
    constructor(deps) {
        this.deps = deps;
        this.#beat = defineScript(deps.redis, BEAT);
    }
    async beat(gatewayId) {
        const keys = { gateway: this.deps.keys.gateway(gatewayId) };
        await whileReachable(() => this.#beat(keys, { processId: process.pid, aliveForMs: ALIVE_FOR_MS }));
    }
    async stop(gatewayId) {
        await whileReachable(() => this.deps.redis.del(this.deps.keys.gateway(gatewayId)));
    }
    async isAlive(gatewayId) {
        return (await whileReachable(() => this.deps.redis.exists(this.deps.keys.gateway(gatewayId)))) === 1;
    }
}
//# sourceMappingURL=heartbeats.js.map