import { defineScript } from '@longhaul/redis';
import { APPEND_AUDIT } from './scripts/audit-log.js';
import { whileReachable } from './store-fault.js';
/** `AuditLog` on Redis: a stream for each chain. */
export class RedisAuditLog {
    redis;
    keys;
    #append;
    constructor(redis, keys) {
        this.redis = redis;
        this.keys = keys;
        this.#append = defineScript(redis, APPEND_AUDIT);
    }
    append(chain, after, added, keep) {
        const args = { afterHash: after.hash, after: after.number, keep };
        const rest = added.flatMap(({ hash, text }) => [hash, text]);
        return whileReachable(() => this.#append(this.keys.auditChain(chain), args, rest));
    }
    async state(chain) {
        const key = this.keys.auditChain(chain).chain;
        const [number, hash, baseNumber, baseHash] = await whileReachable(() => this.redis.hmget(key, 'number', 'hash', 'baseNumber', 'baseHash'));
        return {
            head: { number: Number(number ?? 0), hash: hash ?? '' },
            base: { number: Number(baseNumber ?? 0), hash: baseHash ?? '' },
        };
    }
    async after(chain, number, limit) {
        const { records } = this.keys.auditChain(chain);
        return (await whileReachable(() => this.redis.xrange(records, `(${number}-0`, '+', 'COUNT', limit))).map(recordOf);
    }
    async before(chain, number, limit) {
        const { records } = this.keys.auditChain(chain);
        return (await whileReachable(() => this.redis.xrevrange(records, `(${number}-0`, '-', 'COUNT', limit))).map(recordOf);
    }
}
function recordOf([id, [, hash = '', , text = '']]) {
    return { number: Number.parseInt(id, 10), hash, text };
}
//# sourceMappingURL=audit-log.js.map