/**
 * Refuses new tasks while too many passes wait for workers. The queue is read about once a second while tasks are created; what was
 * created since counts as waiting until the next reading, and before somebody is refused for that the queue is read anew. Other
 * gateways create as well, so the limit may be passed by what all of them create between two readings.
 */
import { TaskError } from '../errors.js';
const READ_EVERY_MS = 1_000;
/** A reading this young is not read again. */
const MIN_AGE_MS = 20;
export class QueueLimit {
    deps;
    /** Waited when the queue was read, or have been created since. */
    #waiting = 0;
    #readAt = Number.NEGATIVE_INFINITY;
    #reading;
    constructor(deps) {
        this.deps = deps;
    }
    /** Takes a place for the first pass of a task. @throws TaskError `QUEUE_FULL` */
    async requireRoom() {
        const { most } = this.deps;
        if (most === undefined)
            return;
        if (this.#ageMs() > READ_EVERY_MS || (this.#waiting >= most && this.#ageMs() > MIN_AGE_MS))
            await this.#read();
        if (this.#waiting >= most)
            throw queueFull(most);
        this.#waiting += 1;
    }
    #ageMs() {
        const { now = () => performance.now() } = this.deps;
        return now() - this.#readAt;
    }
    #read() {
        return (this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined)));
    }
    async #readOnce() {
        const { load, now = () => performance.now() } = this.deps;
        const { waiting, setAside } = await load.queue();
        this.#waiting = waiting + setAside;
        this.#readAt = now();
    }
}
function queueFull(most) {
    return new TaskError('QUEUE_FULL', `As many calls wait for a worker as may (${most}, LONGHAUL_MAX_QUEUED). Nothing was begun; try again later.`, { limit: 'queued', most, retryable: true, retryAfterMs: READ_EVERY_MS });
}
//# sourceMappingURL=queue-limit.js.map