const SECOND_MS = 1_000;
const SECONDS = 60;
const ENDS = new Set(['completed', 'failed', 'cancelled']);
/** The last minute. */
export class TaskRates {
    clock;
    #seconds = new Map();
    #since;
    constructor(clock) {
        this.clock = clock;
    }
    /** From now on everything is heard. */
    start() {
        this.#since ??= this.clock();
    }
    /** Nothing is heard any more. */
    stop() {
        this.#since = undefined;
        this.#seconds.clear();
    }
    count({ status, isNew }) {
        const second = this.#second(Math.floor(this.clock() / SECOND_MS));
        if (isNew)
            second.created += 1;
        if (status !== undefined && ENDS.has(status))
            second[status] += 1;
    }
    get now() {
        const now = this.clock();
        const oldest = Math.floor(now / SECOND_MS) - SECONDS;
        const sum = { created: 0, completed: 0, failed: 0, cancelled: 0 };
        for (const [at, second] of this.#seconds) {
            if (at <= oldest)
                this.#seconds.delete(at);
            else
                for (const name of Object.keys(sum))
                    sum[name] += second[name];
        }
        return { overMs: this.#since === undefined ? 0 : Math.min(now - this.#since, SECONDS * SECOND_MS), ...sum };
    }
    #second(at) {
        const found = this.#seconds.get(at) ?? { created: 0, completed: 0, failed: 0, cancelled: 0 };
        this.#seconds.set(at, found);
        return found;
    }
}
//# sourceMappingURL=task-rates.js.map