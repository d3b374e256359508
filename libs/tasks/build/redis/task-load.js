import { defineScript } from '@longhaul/redis';
import { QueueDepths } from './queue-depths.js';
import { OVERDUE } from './scripts/task-load.js';
import { whileReachable } from './store-fault.js';
/** `TaskLoad` on Redis. */
export class RedisTaskLoad {
    keys;
    queues;
    #depths;
    #overdue;
    constructor(redis, keys, queues) {
        this.keys = keys;
        this.queues = queues;
        this.#depths = new QueueDepths(redis, keys);
        this.#overdue = defineScript(redis, OVERDUE);
    }
    async queue() {
        const depths = await whileReachable(() => Promise.all(this.queues.all.map((queue) => this.#depths.of(queue))));
        const total = { waiting: 0, setAside: 0, delayed: 0, running: 0 };
        const waits = [];
        for (const { waiting, setAside, delayed, running, oldestWaitMs } of depths) {
            total.waiting += waiting;
            total.setAside += setAside;
            total.delayed += delayed;
            total.running += running;
            if (oldestWaitMs !== undefined)
                waits.push(oldestWaitMs);
        }
        return { ...total, ...(waits.length > 0 && { oldestWaitMs: Math.max(...waits) }) };
    }
    async overdue() {
        const shards = await whileReachable(() => Promise.all(this.keys.allUnfinished().map((shard) => this.#overdue({ shard }, {}))));
        const count = shards.reduce((sum, shard) => sum + shard.count, 0);
        return { count, ...(count > 0 && { oldestMs: Math.max(...shards.map(({ oldestMs }) => oldestMs)) }) };
    }
}
//# sourceMappingURL=task-load.js.map