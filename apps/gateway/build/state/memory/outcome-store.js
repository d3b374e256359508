/** Outcomes within one process. */
export class MemoryOutcomeStore {
    clock;
    #known = new Map();
    constructor(clock) {
        this.clock = clock;
    }
    async begin(id, ttlMs) {
        const now = this.clock();
        for (const [other, { until }] of this.#known)
            if (until <= now)
                this.#known.delete(other);
        const known = this.#known.get(id);
        if (known === undefined)
            this.#known.set(id, { outcome: '', until: now + ttlMs });
        return known?.outcome;
    }
    async record(id, outcome) {
        const known = this.#known.get(id);
        if (known !== undefined)
            known.outcome = outcome;
    }
}
//# sourceMappingURL=outcome-store.js.map