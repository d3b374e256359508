/**
 * A worker's place among the others: it beats, learns that it was taken for dead, and gives the jobs of those that have
 * died to the living.
 *
 * Silence is not death when the store was away, because then everybody is silent. So a worker that could not beat itself,
 * or stood still, takes nobody for dead until it has been in touch for as long as the others need to beat again. A worker
 * that said that it leaves is believed at once.
 */
import { setTimeout as wait } from 'node:timers/promises';
/** Share of the time of silence after which a worker is dead, for which one has to be in touch before one judges others. */
const IN_TOUCH_SHARE = 0.75;
/** Share of that time for which only the dead and the very busy are silent. */
const SUSPICIOUS_SHARE = 0.5;
/** Beats for one worker. */
export class WorkerPresence {
    options;
    #worker;
    #clock;
    #stopped = new AbortController();
    /** By worker id. */
    #recovering = new Set();
    #inTouchSince = Number.POSITIVE_INFINITY;
    #beatAt = Number.NEGATIVE_INFINITY;
    #beaten = false;
    constructor(options) {
        this.options = options;
        this.#worker = { ...options.worker, lockToken: options.consumer.lockToken };
        this.#clock = options.lease.clock;
    }
    /** Registers the worker and begins to beat. */
    async start() {
        await this.#beat();
        void this.#keepBeating();
    }
    /**
     * Whether a worker has died. After an outage of the store this waits until it is known of one that is silent.
     *
     * @throws TaskError `STORE_UNAVAILABLE`; the reason of `signal` when it aborts while it waits
     */
    async hasDied(workerId, signal) {
        const { registry } = this.options;
        for (;;) {
            const isSure = this.#isInTouch();
            const standing = await registry.standing(workerId);
            if (standing !== 'silent' || isSure)
                return standing !== 'live';
            await wait(registry.times.beatMs, undefined, { signal });
        }
    }
    /** Stops to beat and says that the worker takes no jobs any more: see `WorkerRegistry.leave`. */
    leave() {
        this.#stopped.abort();
        this.options.registry.leave(this.#worker.workerId);
    }
    async #keepBeating() {
        const { registry, onError } = this.options;
        const { signal } = this.#stopped;
        while (!signal.aborted) {
            await wait(registry.times.beatMs, undefined, { signal, ref: false }).catch(() => undefined);
            if (!signal.aborted)
                await this.#beat().catch(onError);
        }
    }
    async #beat() {
        const { registry, consumer, lease, onSilence, running } = this.options;
        const askedAt = this.#clock();
        const { known, silentMs, dead } = await registry.beat({ ...this.#worker, ...(running !== undefined && saidOf(running())) });
        const now = this.#clock();
        const wasSilent = now - this.#beatAt > this.#touchMs;
        if (wasSilent)
            this.#inTouchSince = now;
        this.#beatAt = now;
        if (this.#beaten && !known)
            consumer.loseAll();
        // One that was silent may be known still, though its jobs are being given to others.
        if (!this.#beaten || !wasSilent)
            lease.renew(askedAt + this.#touchMs);
        this.#beaten = true;
        if ((silentMs > registry.times.deadAfterMs * SUSPICIOUS_SHARE && this.#isInTouch()) || dead.some(({ left }) => left))
            onSilence?.();
        // Not awaited: the next beat is due, however long a part of the store lets the jobs of the dead wait.
        for (const one of dead)
            if (this.#mayJudge(one))
                void this.#recover(one);
    }
    /** Each beat names a worker again until it is forgotten; one that is being recovered is left to that. */
    async #recover(dead) {
        const { registry, consumer, onDeath, onError } = this.options;
        const { workerId, lockToken } = dead.worker;
        if (this.#recovering.has(workerId))
            return;
        this.#recovering.add(workerId);
        try {
            // One that has beaten meanwhile keeps its jobs. From here on, it learns from its next beat that it has lost them.
            const jobs = await consumer.recover(lockToken, async () => this.#mayJudge(dead) && registry.forget(workerId));
            if (jobs !== undefined)
                onDeath(dead, jobs);
        }
        catch (error) {
            onError(error);
        }
        finally {
            this.#recovering.delete(workerId);
        }
    }
    #mayJudge({ left }) {
        return left || this.#isInTouch();
    }
    #isInTouch() {
        const now = this.#clock();
        return now - this.#inTouchSince >= this.#touchMs && now - this.#beatAt <= this.#touchMs;
    }
    get #touchMs() {
        return this.options.registry.times.deadAfterMs * IN_TOUCH_SHARE;
    }
}
function saidOf({ busy, passes, }) {
    return { busy, running: passes };
}
//# sourceMappingURL=worker-presence.js.map