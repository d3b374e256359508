import { TaskRates } from './task-rates.js';
/** Changes within this time make one tick. On a cluster the row of a task is written within it. */
const GATHER_MS = 50;
const APART_MS = 100;
/** After the last change somebody looks once more, for a row that was written late. */
const SETTLE_MS = 1_000;
const IDLE_MS = 5_000;
/** The ticks of one process. */
export class ChangeFeed {
    options;
    #watchers = new Set();
    #rates;
    #clock;
    #subscription;
    #timer;
    #dueAt = Number.POSITIVE_INFINITY;
    #tickedAt = 0;
    #tick = 0;
    constructor(options) {
        this.options = options;
        this.#clock = options.clock ?? Date.now;
        this.#rates = new TaskRates(this.#clock);
    }
    /** What was counted since somebody looks on. */
    get rates() {
        return this.#rates.now;
    }
    /** One tick at once, then the others; those that come while nobody asks for the next one are one. @returns their numbers */
    async *ticks(signal) {
        let isDue = true;
        let wake = () => undefined;
        const watcher = () => {
            isDue = true;
            wake();
        };
        this.#watchers.add(watcher);
        const onAbort = () => wake();
        signal.addEventListener('abort', onAbort);
        try {
            await this.#listen();
            while (!signal.aborted) {
                if (isDue) {
                    isDue = false;
                    const number = this.#tick;
                    yield number;
                }
                else {
                    await new Promise((resolve) => (wake = resolve));
                }
            }
        }
        finally {
            signal.removeEventListener('abort', onAbort);
            this.#watchers.delete(watcher);
            if (this.#watchers.size === 0)
                this.#stop();
        }
    }
    /** Resolves when no later change can be missed, or when it is known that the store cannot be reached: then ticks come without changes. */
    async #listen() {
        if (this.#timer === undefined)
            this.#schedule(IDLE_MS);
        const subscription = (this.#subscription ??= this.options.tasks.onChange((change) => this.#changed(change)));
        try {
            await subscription;
            this.#rates.start();
        }
        catch (error) {
            if (this.#subscription === subscription)
                this.#subscription = undefined;
            this.options.onError(error);
        }
    }
    #changed(change) {
        if (this.#watchers.size === 0)
            return;
        if (change !== undefined)
            this.#rates.count(change);
        this.#schedule(Math.max(GATHER_MS, this.#tickedAt + APART_MS - this.#clock()), SETTLE_MS);
    }
    /** @param restMs until the tick after that one */
    #schedule(inMs, restMs = IDLE_MS) {
        const at = this.#clock() + inMs;
        // One that comes sooner is enough, and comes while others wait.
        if (this.#timer !== undefined && this.#dueAt <= at)
            return;
        clearTimeout(this.#timer);
        this.#dueAt = at;
        this.#timer = setTimeout(() => {
            this.#timer = undefined;
            this.#tickedAt = this.#clock();
            this.#tick += 1;
            for (const watcher of this.#watchers)
                watcher();
            this.#schedule(restMs);
            if (this.#subscription === undefined)
                void this.#listen();
        }, inMs).unref();
    }
    #stop() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#rates.stop();
        // What was seen until now is not what there is when somebody looks on again.
        this.#tick += 1;
        const subscription = this.#subscription;
        this.#subscription = undefined;
        // One that was never made has been reported.
        void subscription?.then((unsubscribe) => unsubscribe(), () => undefined);
    }
}
//# sourceMappingURL=change-feed.js.map