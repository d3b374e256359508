import { defineScript, script } from '@longhaul/redis';
import { whileReachable } from '@longhaul/tasks/redis';
/** A script, because a plain SET is refused when Redis is out of memory. */
const BEGIN = script({
    keys: ['outcome'],
    numbers: ['ttlMs'],
    lua: `
local known = redis.call('GET', outcome)
if known then return known end
redis.call('SET', outcome, '', 'PX', ttl_ms)
return false
`,
    reply: (known) => known ?? undefined,
});
/** A script, so that an outcome never stays for ever. */
const RECORD = script({
    keys: ['outcome'],
    texts: ['text'],
    lua: `redis.call('SET', outcome, text, 'XX', 'KEEPTTL')`,
});
/** Outcomes in Redis, one string for each. */
export class RedisOutcomeStore {
    deps;
    #begin;
    #record;
    constructor(deps) {
        this.deps = deps;
        this.#begin = defineScript(deps.redis, BEGIN);
        this.#record = defineScript(deps.redis, RECORD);
    }
    async begin(id, ttlMs) {
        return whileReachable(() => this.#begin({ outcome: this.deps.keys.outcome(id) }, { ttlMs }));
    }
    async record(id, outcome) {
        await whileReachable(() => this.#record({ outcome: this.deps.keys.outcome(id) }, { text: outcome }));
    }
}
//# sourceMappingURL=outcome-store.js.map