/** `TaskAgenda` in memory. */
export class MemoryTaskAgenda {
    clock;
    shards = 1;
    #entries = new Map();
    constructor(clock) {
        this.clock = clock;
    }
    async date(taskId, inMs) {
        const at = this.clock() + inMs;
        const was = this.#entries.get(taskId);
        if (was === undefined || was.isLeased || at < was.at)
            this.#entries.set(taskId, { at, isLeased: false });
    }
    async count() {
        return this.#entries.size;
    }
    remove(taskId) {
        this.#entries.delete(taskId);
    }
    async flush() {
        // Nothing waits: removing is immediate.
    }
    async take(shard, limit, leaseMs) {
        const now = this.clock();
        const due = [...this.#entries].filter(([, { at }]) => at <= now).sort(([, left], [, right]) => left.at - right.at);
        const taskIds = due.slice(0, limit).map(([taskId]) => taskId);
        const lease = now + leaseMs;
        for (const taskId of taskIds)
            this.#entries.set(taskId, { at: lease, isLeased: true });
        return { shard, taskIds, lease, total: this.#entries.size };
    }
    async settle({ lease }, verdicts) {
        const now = this.clock();
        for (const [taskId, verdict] of verdicts) {
            const entry = this.#entries.get(taskId);
            if (entry?.isLeased !== true || entry.at !== lease)
                continue;
            if (verdict === 'remove')
                this.#entries.delete(taskId);
            else
                this.#entries.set(taskId, { at: now + verdict, isLeased: false });
        }
    }
    async ensure(taskIds, suspicion) {
        const now = this.clock();
        for (const taskId of taskIds) {
            const was = this.#entries.get(taskId);
            if (was === undefined || (suspicion === 'all' && now < was.at))
                this.#entries.set(taskId, { at: now, isLeased: false });
        }
    }
    /** What is due: see `TaskLoad`. */
    overdue() {
        const now = this.clock();
        const due = [...this.#entries.values()].filter(({ at }) => at <= now);
        return { count: due.length, ...(due.length > 0 && { oldestMs: now - Math.min(...due.map(({ at }) => at)) }) };
    }
    async heal() {
        // Nothing is ever lost without everything else.
    }
}
//# sourceMappingURL=task-agenda.js.map