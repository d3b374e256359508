import { grant, intervalUs } from '../gcra.js';
/** Names that are counted before those are dropped that have everything back. */
const SWEPT_AT = 10_000;
/** Counts within one process. */
export class MemoryRateStore {
    clock;
    /** By name, when all that it has taken will be back, microseconds. */
    #fullAt = new Map();
    constructor(clock) {
        this.clock = clock;
    }
    async take(rated, count, rate) {
        return this.#grant(rated, rate, { count, isPartly: false }).retryAfterMs;
    }
    async takeSome(rated, count, rate) {
        return this.#grant(rated, rate, { count, isPartly: true });
    }
    async giveBack({ what, account }, count, rate) {
        const name = `${what} ${account}`;
        const fullAt = this.#fullAt.get(name);
        if (fullAt !== undefined)
            this.#fullAt.set(name, fullAt - count * intervalUs(rate));
    }
    #grant({ what, account }, rate, wanted) {
        const name = `${what} ${account}`;
        const now = this.clock() * 1_000;
        const { fullAtUs, ...taken } = grant(this.#fullAt.get(name) ?? 0, now, rate, wanted);
        if (taken.taken === 0)
            return taken;
        if (this.#fullAt.size >= SWEPT_AT)
            for (const [other, at] of this.#fullAt)
                if (at <= now)
                    this.#fullAt.delete(other);
        this.#fullAt.set(name, fullAtUs);
        return taken;
    }
}
//# sourceMappingURL=rate-store.js.map