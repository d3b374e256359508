import { Queue } from 'bullmq';
import { whileReachable } from './store-fault.js';
import { EVENT_STREAM_OPTIONS, JOB_NAME, JOB_OPTIONS, QUEUE_NAME } from './bullmq-settings.js';
import { JobLookup } from './job-lookup.js';
import { FIRST_QUEUE } from './queue-numbers.js';
import { givenBackIdOf, jobIdsOf } from '../ports/job-id.js';
/** `TaskQueue` on the BullMQ queues of the process. Rejects with `STORE_UNAVAILABLE` while Redis cannot be reached. */
export class BullMqTaskQueue {
    deps;
    #queues;
    #lookup;
    constructor(deps) {
        this.deps = deps;
        this.#queues = new Map(deps.queues.own.map((queue) => [queue, this.#open(queue)]));
        this.#lookup = new JobLookup(deps);
    }
    async add(job, dueAt) {
        const delay = dueAt - Date.now();
        const { immediate, delayed } = jobIdsOf(job);
        const options = delay > 0 ? { jobId: delayed, delay } : { jobId: immediate };
        const data = plain(job);
        await this.#put(JOB_NAME, data, options);
    }
    has(jobs) {
        return whileReachable(() => this.#lookup.has(jobs));
    }
    async recover(job) {
        const data = { ...plain(job), recovered: true };
        await this.#put(JOB_NAME, data, { jobId: jobIdsOf(data).immediate });
    }
    async addGivenBack(job, givenBack) {
        const data = { ...plain(job), givenBack };
        await this.#put(JOB_NAME, data, { jobId: givenBackIdOf(data, givenBack.times) });
    }
    async addSideJob({ kind, id, lane, data }) {
        await this.#put(kind, { ...data, ...(lane !== undefined && { lane }) }, { jobId: id });
    }
    /** Adds a job of another queue to the first one, where limits of tools are counted. */
    forward = async (job, jobId) => {
        await whileReachable(async () => this.#queues.get(FIRST_QUEUE)?.add(JOB_NAME, job, { jobId }));
    };
    async close() {
        await Promise.all(Array.from(this.#queues.values(), (queue) => queue.close()));
    }
    #open(number) {
        const { redis, keys, onError } = this.deps;
        const queue = new Queue(QUEUE_NAME, {
            connection: redis,
            prefix: keys.queuePrefix(number),
            streams: EVENT_STREAM_OPTIONS,
            defaultJobOptions: JOB_OPTIONS,
            // Checked already. A check that failed because a node of a cluster was away would fail every job of this process.
            skipVersionCheck: true,
        });
        // Without a listener an 'error' event would end the process.
        queue.on('error', onError);
        return queue;
    }
    async #put(name, data, options) {
        const queue = this.#queues.get(this.deps.queues.of(data.lane));
        await whileReachable(async () => queue?.add(name, data, options));
    }
}
/** Named one by one: other members of the caller's object stay out of Redis. */
function plain({ taskId, pass, lane, tool, priority }) {
    return {
        taskId,
        pass,
        ...(lane !== undefined && { lane }),
        ...(tool !== undefined && { tool }),
        ...(priority !== undefined && { priority }),
    };
}
//# sourceMappingURL=bullmq-task-queue.js.map