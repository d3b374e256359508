import { definePublish } from '@longhaul/redis';
import { whileReachable } from '@longhaul/tasks/redis';
/** `Signals` over the publish and subscribe of Redis. */
export class RedisSignals {
    deps;
    #publish;
    constructor(deps) {
        this.deps = deps;
        this.#publish = definePublish(deps.redis);
    }
    async publish(channel, message) {
        await whileReachable(() => this.#publish(channel, message));
    }
    subscribe(channel, listener) {
        return whileReachable(() => this.deps.subscriptions.add(channel, listener));
    }
}
//# sourceMappingURL=signals.js.map