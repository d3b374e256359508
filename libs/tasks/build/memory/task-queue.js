/**
 * The queue in this process's memory: for tests. It keeps
 * the promises of the BullMQ one, with timers in the place of a broker.
 */
import { randomUUID } from 'node:crypto';
import { givenBackIdOf, jobIdsOf, soughtIdsOf } from '../ports/job-id.js';
import { JobLost, REDELIVERY_DELAY_MS, } from '../ports/task-queue.js';
import { NO_RULES, rankOf } from '../ports/lane-rules.js';
import { groupOf } from '../write/lane.js';
import { timerDelay } from '../timer-delay.js';
import { FairLines } from './fair-lines.js';
/** Before all ranks: lost jobs. */
const IN_FRONT = 2;
/** `TaskQueue` in memory. Consumers of the same object share its jobs. */
export class MemoryTaskQueue {
    clock;
    onError;
    isPaused;
    /** Every job that waits, is delayed or runs, by id. */
    #known = new Set();
    #waiting = new FairLines();
    #setAside = new Map();
    #timers = new Set();
    #consumers = new Set();
    #closed = false;
    constructor(clock, onError, 
    /** Whether there is a pause of that name. */
    isPaused) {
        this.clock = clock;
        this.onError = onError;
        this.isPaused = isPaused;
    }
    async add(job, dueAt) {
        const delayed = dueAt > this.clock();
        const ids = jobIdsOf(job);
        this.#add({ id: delayed ? ids.delayed : ids.immediate, job: { ...job }, redelivered: false, lost: false }, delayed ? dueAt : 0);
    }
    async has(jobs) {
        return jobs.map((job) => soughtIdsOf(job).some((id) => this.#known.has(id)));
    }
    async recover(job) {
        this.#add({ id: jobIdsOf(job).immediate, job: { ...job, recovered: true }, redelivered: false, lost: false }, 0);
    }
    async addGivenBack(job, givenBack) {
        this.#add({ id: givenBackIdOf(job, givenBack.times), job: { ...job, givenBack }, redelivered: false, lost: givenBack.lost === true }, 0);
    }
    async addSideJob({ id, data, ...job }) {
        this.#add({ id, job: { ...job, id, data: structuredClone(data) }, redelivered: false, lost: false }, 0);
    }
    /** Starts a consumer. */
    async consume(handler, options) {
        const consumer = new MemoryTaskConsumer({ ...options, queue: this, handler, clock: this.clock, onError: this.onError });
        await options.beforeFirstJob?.(consumer);
        this.#consumers.add(consumer);
        this.#wake();
        return consumer;
    }
    async close() {
        this.#closed = true;
        for (const consumer of this.#consumers)
            await consumer.close();
        for (const timer of this.#timers)
            clearTimeout(timer);
        this.#timers.clear();
        this.#waiting.clear();
        this.#setAside.clear();
    }
    /** Puts a known job to the waiting ones, when it is due. */
    enqueue(queued, dueAt) {
        if (this.#closed)
            return;
        const delay = dueAt - this.clock();
        if (delay > 0) {
            const timer = setTimeout(() => {
                this.#timers.delete(timer);
                this.enqueue(queued, dueAt);
            }, timerDelay(delay));
            this.#timers.add(timer);
            return;
        }
        this.#push({ ...queued, since: this.clock() });
        this.#wake();
    }
    /** How many jobs there are: see `TaskLoad`. */
    depth() {
        const waiting = [...this.#waiting.items()];
        const running = [...this.#consumers].reduce((sum, { active }) => sum + active, 0);
        const oldest = Math.min(...waiting.map(({ since = Infinity }) => since));
        return {
            waiting: waiting.length,
            setAside: [...this.#setAside.values()].flat().length,
            delayed: this.#timers.size,
            running,
            ...(waiting.length > 0 && { oldestWaitMs: this.clock() - oldest }),
        };
    }
    /** Ends the consumer that has this lock token. @returns how many jobs it held */
    async endConsumer(lockToken) {
        const dead = [...this.#consumers].find((consumer) => consumer.lockToken === lockToken);
        const count = dead?.active ?? 0;
        await dead?.close();
        return count;
    }
    /** Keeps a job for as long as it is paused. */
    setAside(queued, name) {
        if (!this.isPaused(name))
            return this.enqueue(queued, 0);
        this.#setAside.set(name, [...(this.#setAside.get(name) ?? []), queued]);
    }
    /** See `QueuePauses`. */
    putBack(limit) {
        let count = 0;
        for (const [name, jobs] of this.#setAside) {
            if (this.isPaused(name))
                continue;
            for (const job of jobs.splice(0, limit - count)) {
                this.#push(job);
                count += 1;
            }
            if (jobs.length === 0)
                this.#setAside.delete(name);
        }
        if (count > 0)
            this.#wake();
        return count;
    }
    take(rules) {
        const running = [...this.#consumers].flatMap((consumer) => consumer.running);
        const hasRoom = (most, counts) => most === undefined || running.filter(counts).length < most;
        return this.#waiting.take(rules, ({ job }, lane) => {
            const group = groupOf(lane);
            const tool = toolOf(job);
            return (hasRoom(rules.maxRunning(group), (other) => groupOf(other.job.lane ?? '') === group) &&
                (tool === undefined || hasRoom(rules.maxRunningOfTool(tool), (other) => toolOf(other.job) === tool)));
        });
    }
    /** A job has ended, so that others may run. */
    freed() {
        this.#wake();
    }
    forget(id) {
        this.#known.delete(id);
    }
    remove(consumer) {
        this.#consumers.delete(consumer);
    }
    #add(queued, dueAt) {
        if (this.#closed || this.#known.has(queued.id))
            return;
        this.#known.add(queued.id);
        this.enqueue(queued, dueAt);
    }
    #push(queued) {
        const { job } = queued;
        const rules = [...this.#consumers][0]?.rules ?? NO_RULES;
        const rank = 'kind' in job ? 0 : rankOf(job.priority);
        this.#waiting.push(job.lane ?? '', queued, rules, queued.lost ? IN_FRONT : rank);
    }
    #wake() {
        // Never within the call that added the job, as with a broker.
        setImmediate(() => {
            for (const consumer of this.#consumers)
                consumer.fill();
        });
    }
}
class MemoryTaskConsumer {
    deps;
    lockToken = randomUUID();
    #running = new Map();
    #drained = [];
    #open = true;
    constructor(deps) {
        this.deps = deps;
    }
    get active() {
        return this.#running.size;
    }
    get running() {
        return [...this.#running.keys()];
    }
    get rules() {
        return this.deps.rules?.() ?? NO_RULES;
    }
    /** Takes jobs while there is room. */
    fill() {
        while (this.#open && this.#running.size < this.deps.concurrency) {
            const queued = this.deps.queue.take(this.rules);
            if (queued === undefined)
                return;
            void this.#run(queued);
        }
    }
    async drain() {
        this.#open = false;
        this.deps.queue.remove(this);
        if (this.#running.size > 0)
            await new Promise((resolve) => void this.#drained.push(resolve));
    }
    async close() {
        this.#open = false;
        this.deps.queue.remove(this);
        this.loseAll();
    }
    loseAll() {
        const lost = [...this.#running];
        this.#running.clear();
        for (const [queued, controller] of lost) {
            controller.abort(new JobLost());
            this.deps.queue.enqueue({ ...queued, redelivered: true, lost: true }, 0);
        }
        this.#resolveIfDrained();
    }
    async recover(lockToken, isDead) {
        if (!(await isDead()))
            return undefined;
        return this.deps.queue.endConsumer(lockToken);
    }
    async #run(queued) {
        const { queue, clock, onError } = this.deps;
        const controller = new AbortController();
        this.#running.set(queued, controller);
        let verdict;
        try {
            verdict = await this.#handle(queued, controller.signal);
        }
        catch (error) {
            onError(error);
            queued.redelivered = true;
            verdict = { againAt: clock() + REDELIVERY_DELAY_MS };
        }
        // Not there any more: the consumer was closed, and the job is somebody else's.
        if (!this.#running.delete(queued))
            return;
        if (verdict.pausedBy !== undefined)
            queue.setAside(queued, verdict.pausedBy);
        else if (verdict.againAt === undefined)
            queue.forget(queued.id);
        else
            queue.enqueue(queued, verdict.againAt);
        this.#resolveIfDrained();
        this.fill();
        queue.freed();
    }
    async #handle({ job, redelivered, lost }, signal) {
        const { handler, sideJobs } = this.deps;
        if ('kind' in job)
            return sideJobs?.[job.kind]?.(job.data, 0) ?? {};
        const { recovered = false, givenBack, ...taskJob } = job;
        return handler({ job: taskJob, redelivered, lost, recovered, ...(givenBack !== undefined && { givenBack }), signal });
    }
    #resolveIfDrained() {
        if (this.#running.size === 0)
            for (const resolve of this.#drained.splice(0))
                resolve();
    }
}
function toolOf(job) {
    return 'kind' in job ? undefined : job.tool;
}
//# sourceMappingURL=task-queue.js.map