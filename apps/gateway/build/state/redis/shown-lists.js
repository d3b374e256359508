import { whileReachable } from '@longhaul/tasks/redis';
/** As a hash in Redis. */
export class RedisShownLists {
    deps;
    constructor(deps) {
        this.deps = deps;
    }
    async read() {
        return whileReachable(() => this.deps.redis.hgetall(this.deps.keys.lists));
    }
    async write(hashes) {
        await whileReachable(() => this.deps.redis.hset(this.deps.keys.lists, { ...hashes }));
    }
}
//# sourceMappingURL=shown-lists.js.map