import { definePublish, defineScript } from '@longhaul/redis';
import { pausedWork, pauseName } from '../ports/queue-pauses.js';
import { QUEUE_NAME } from './bullmq-settings.js';
import { FIRST_QUEUE } from './queue-numbers.js';
import { PUT_BACK } from './scripts/queue-pauses.js';
import { whileReachable } from './store-fault.js';
/**
 * `QueuePauses` on Redis. What is paused is said beside the first queue. Each further one has a copy for its scripts, which is made
 * whenever jobs are put back, and by a worker that sets a job aside before that.
 */
export class RedisQueuePauses {
    deps;
    #putBack;
    #publish;
    constructor(deps) {
        this.deps = deps;
        this.#putBack = defineScript(deps.redis, PUT_BACK);
        this.#publish = definePublish(deps.redis);
    }
    async present() {
        return pausedWork(await whileReachable(() => this.#names()));
    }
    async pause(tool) {
        const { redis, keys } = this.deps;
        await whileReachable(() => redis.sadd(keys.queuePauses().paused, pauseName(tool)));
        await this.#changed();
    }
    async resume(tool) {
        const { redis, keys } = this.deps;
        await whileReachable(() => redis.srem(keys.queuePauses().paused, pauseName(tool)));
        await this.#changed();
    }
    onChange(listener) {
        const { keys, subscriptions } = this.deps;
        return whileReachable(() => subscriptions.add(keys.pausesChanged(), () => listener()));
    }
    async putBack(limit) {
        const further = this.deps.queues.all.filter((queue) => queue !== FIRST_QUEUE);
        return whileReachable(async () => {
            const names = further.length === 0 ? [] : await this.#names();
            // One whose master is away must not keep the others waiting.
            const counts = await Promise.allSettled([
                this.#putBackOf(FIRST_QUEUE, limit),
                ...further.map((queue) => this.#putBackOf(queue, limit, names)),
            ]);
            return counts.reduce((sum, count) => {
                if (count.status === 'rejected')
                    throw count.reason;
                return sum + count.value;
            }, 0);
        });
    }
    /** @param names what is paused, if what the queue has is a copy of it */
    #putBackOf(queue, limit, names) {
        const { keys } = this.deps;
        const queueKey = `${keys.queuePrefix(queue)}:${QUEUE_NAME}`;
        const { asidePrefix, ...sets } = keys.queuePauses(queue);
        const lists = { waiting: `${queueKey}:wait`, marker: `${queueKey}:marker` };
        return this.#putBack({ ...sets, ...lists }, { jobPrefix: `${queueKey}:`, asidePrefix, limit, isCopy: names !== undefined }, names);
    }
    #names() {
        const { redis, keys } = this.deps;
        return redis.smembers(keys.queuePauses().paused);
    }
    async #changed() {
        await whileReachable(() => this.#publish(this.deps.keys.pausesChanged(), ''));
    }
}
//# sourceMappingURL=queue-pauses.js.map