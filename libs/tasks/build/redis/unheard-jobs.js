import { setTimeout as wait } from 'node:timers/promises';
/** What a connection, or one of a cluster, says when it broke. */
const BROKEN = ['close', '-node', 'node error'];
/** Within this time a job begins or ends whose reply came. */
const IN_FLIGHT_MS = 1_000;
const RETRY_MS = 1_000;
/** Looks for them after each break of the connection, in each queue by itself: one whose master is away answers when that is back. */
export class UnheardJobs {
    options;
    #stopped = new AbortController();
    #lookedAt = new Set();
    #breaks = 0;
    constructor(options) {
        this.options = options;
        for (const event of BROKEN)
            options.redis.on(event, this.#onBreak);
    }
    stop() {
        this.#stopped.abort();
        for (const event of BROKEN)
            this.options.redis.off(event, this.#onBreak);
    }
    #onBreak = () => {
        this.#breaks += 1;
        for (const queue of this.options.queues()) {
            if (this.#lookedAt.has(queue))
                continue;
            this.#lookedAt.add(queue);
            void this.#look(queue).finally(() => this.#lookedAt.delete(queue));
        }
    };
    async #look(queue) {
        const { onError } = this.options;
        const { signal } = this.#stopped;
        let seen = 0;
        while (seen < this.#breaks && !signal.aborted) {
            const breaks = this.#breaks;
            try {
                await this.#release(queue, signal);
                seen = breaks;
            }
            catch (error) {
                if (signal.aborted)
                    return;
                onError(error);
                await wait(RETRY_MS, undefined, { ref: false });
            }
        }
    }
    async #release(queue, signal) {
        // Redis answers this after the replies that it has yet to send: what is in flight is known soon afterwards.
        const first = await this.#unheardOf(queue);
        if (first.length === 0)
            return;
        await wait(IN_FLIGHT_MS, undefined, { signal, ref: false });
        const count = await queue.locks.release(first.filter(({ jobId }) => !queue.isRunning(jobId)));
        if (count > 0)
            await queue.deliverReleased();
    }
    async #unheardOf({ locks, isRunning }) {
        return (await locks.heldBy(this.options.workerToken)).filter(({ jobId }) => !isRunning(jobId));
    }
}
//# sourceMappingURL=unheard-jobs.js.map