/** Milliseconds that no change of the time of day moves, and that are the same in all processes of a machine. */
function monotonicMs() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
}
/**
 * Until when a worker is sure that nobody else has been given its jobs, because it said in time that it is alive. No step
 * starts without that: a process that stood still could run one that another worker has recorded meanwhile.
 */
export class WorkerLease {
    clock;
    #untilMs = 0;
    #listeners = new Set();
    #waiting = new Set();
    #isWaking = false;
    /** @param clock milliseconds from some moment on */
    constructor(clock = monotonicMs) {
        this.clock = clock;
    }
    /** A lease that lasts for ever: of what runs where nobody else takes jobs. */
    static forever() {
        const lease = new WorkerLease();
        lease.renew(Number.POSITIVE_INFINITY);
        return lease;
    }
    get isHeld() {
        return this.clock() < this.#untilMs;
    }
    /** @param untilMs on the lease's clock */
    renew(untilMs) {
        this.#untilMs = untilMs;
        for (const listener of this.#listeners)
            listener();
        this.#wakeNext();
    }
    /** Until when it is held, on its clock; 0 before it is renewed for the first time. */
    get untilMs() {
        return this.#untilMs;
    }
    /** Calls `listener` each time that the lease is renewed. @returns ends that */
    onRenewed(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }
    /**
     * Resolves when it is held, for one after the other of those who wait: what they do then may take long, and together
     * they would keep the process from saying that it is alive.
     *
     * @throws the reason of `signal` when that aborts before
     */
    async held(signal) {
        while (!this.isHeld) {
            signal.throwIfAborted();
            await new Promise((resolve) => {
                const wake = () => {
                    this.#waiting.delete(wake);
                    signal.removeEventListener('abort', wake);
                    resolve();
                };
                this.#waiting.add(wake);
                signal.addEventListener('abort', wake, { once: true });
            });
        }
    }
    #wakeNext() {
        if (this.#waiting.size === 0 || this.#isWaking)
            return;
        this.#isWaking = true;
        setImmediate(() => {
            this.#isWaking = false;
            const [next] = this.#waiting;
            if (next === undefined || !this.isHeld)
                return;
            next();
            this.#wakeNext();
        });
    }
}
//# sourceMappingURL=worker-lease.js.map