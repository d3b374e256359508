import { DEFAULT_WORKER_TIMES, detailsOf, } from '../ports/worker-registry.js';
/** When a worker that left was last seen. */
const LEFT = Number.NEGATIVE_INFINITY;
/** `WorkerRegistry` in memory. */
export class MemoryWorkerRegistry {
    clock;
    times;
    #entries = new Map();
    constructor(clock, times = DEFAULT_WORKER_TIMES) {
        this.clock = clock;
        this.times = times;
    }
    async beat(worker) {
        const now = this.clock();
        const known = this.#entries.has(worker.workerId);
        this.#entries.set(worker.workerId, { worker: JSON.parse(detailsOf(worker)), seenAt: now });
        const dead = [...this.#entries.values()]
            .filter((entry) => !this.#isAlive(entry))
            .map(({ worker, seenAt }) => ({ worker, left: seenAt === LEFT }));
        const seenAt = [...this.#entries.values()].filter((entry) => this.#isAlive(entry)).map((entry) => entry.seenAt);
        return { known, silentMs: now - Math.min(now, ...seenAt), dead };
    }
    async live() {
        return [...this.#entries.values()].filter((entry) => this.#isAlive(entry)).map(({ worker }) => worker);
    }
    async standing(workerId) {
        const entry = this.#entries.get(workerId);
        if (entry === undefined || entry.seenAt === LEFT)
            return 'gone';
        return this.#isAlive(entry) ? 'live' : 'silent';
    }
    leave(workerId) {
        const entry = this.#entries.get(workerId);
        if (entry !== undefined)
            this.#entries.set(workerId, { ...entry, seenAt: LEFT });
    }
    async forget(workerId) {
        const entry = this.#entries.get(workerId);
        return entry !== undefined && !this.#isAlive(entry) && this.#entries.delete(workerId);
    }
    #isAlive({ seenAt }) {
        return seenAt > this.clock() - this.times.deadAfterMs;
    }
}
//# sourceMappingURL=worker-registry.js.map