/**
 * Looks for jobs in the queues. A job is mostly in the queue of its lane; otherwise it was put into another one by a process that
 * has other queues. On a cluster each queue may have a master of its own: as long as one that may have the job is away, the job
 * counts as there, so that what is known of the others can be acted upon.
 */
import { isAway } from '@longhaul/redis';
import { soughtIdsOf } from '../ports/job-id.js';
import { QUEUE_NAME } from './bullmq-settings.js';
/** Whether jobs are there. Rejects with the errors of ioredis: with one queue also while its master is away. */
export class JobLookup {
    deps;
    constructor(deps) {
        this.deps = deps;
    }
    has(jobs) {
        return Promise.all(jobs.map((job) => this.#mayBeThere(job)));
    }
    async #mayBeThere(job) {
        try {
            return await this.#isThere(job);
        }
        catch (error) {
            if (isAway(error) && this.deps.queues.all.length > 1)
                return true;
            throw error;
        }
    }
    async #isThere(job) {
        const { queues } = this.deps;
        const home = queues.of(job.lane);
        if (await this.#isIn(home, job))
            return true;
        const others = queues.all.filter((queue) => queue !== home);
        return (await Promise.all(others.map((queue) => this.#isIn(queue, job)))).includes(true);
    }
    async #isIn(queue, job) {
        const prefix = `${this.deps.keys.queuePrefix(queue)}:${QUEUE_NAME}`;
        return (await this.deps.redis.exists(...soughtIdsOf(job).map((id) => `${prefix}:${id}`))) > 0;
    }
}
//# sourceMappingURL=job-lookup.js.map