import { defineScript } from '@longhaul/redis';
import { QUEUE_NAME } from './bullmq-settings.js';
import { LOOKED_AT_LANES, QUEUE_DEPTH } from './scripts/task-load.js';
/** How many jobs there are in each queue. Rejects with the errors of ioredis. */
export class QueueDepths {
    keys;
    #depth;
    constructor(redis, keys) {
        this.keys = keys;
        this.#depth = defineScript(redis, QUEUE_DEPTH);
    }
    of(queue) {
        const prefix = `${this.keys.queuePrefix(queue)}:${QUEUE_NAME}:`;
        const { jobs, lanes, linePrefix } = this.keys.fairOrder(queue);
        const { setAside, asidePrefix } = this.keys.queuePauses(queue);
        const { held, heldPrefix } = this.keys.runningLimits(queue);
        const lists = { waiting: `${prefix}wait`, active: `${prefix}active`, delayed: `${prefix}delayed` };
        return this.#depth({ ...lists, jobs, lanes, setAside, held }, { jobPrefix: prefix, linePrefix, asidePrefix, heldPrefix, mostLanes: LOOKED_AT_LANES });
    }
    async isEmpty(queue) {
        const { waiting, setAside, delayed, running } = await this.of(queue);
        return waiting + setAside + delayed + running === 0;
    }
}
//# sourceMappingURL=queue-depths.js.map