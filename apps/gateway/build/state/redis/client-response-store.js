import { defineScript, script } from '@longhaul/redis';
import { whileReachable } from '@longhaul/tasks/redis';
import { RESPONSE_TTL_MS } from '../client-response-store.js';
/** A script, because a plain SET is refused when Redis is out of memory. */
const PUT = script({
    keys: ['answer'],
    texts: ['json'],
    numbers: ['ttlMs'],
    lua: `redis.call('SET', answer, json, 'PX', ttl_ms, 'NX')`,
});
/** Answers in Redis, one string for each. */
export class RedisClientResponseStore {
    deps;
    #put;
    constructor(deps) {
        this.deps = deps;
        this.#put = defineScript(deps.redis, PUT);
    }
    async put({ sessionId, requestId }, answer) {
        const keys = { answer: this.deps.keys.clientResponse(sessionId, requestId) };
        await whileReachable(() => this.#put(keys, { json: answer, ttlMs: RESPONSE_TTL_MS }));
    }
    async take({ sessionId, requestId }) {
        const { redis, keys } = this.deps;
        return (await whileReachable(() => redis.getdel(keys.clientResponse(sessionId, requestId)))) ?? undefined;
    }
}
//# sourceMappingURL=client-response-store.js.map