/**
 * Decides when a thread that counts has stood still for too long, from looks at its counter. Only time in which the
 * looking thread ran as well counts: after a SIGSTOP, or the sleep of a laptop, both have missed the same.
 */
export class Standstill {
    limitMs;
    everyMs;
    lastCount = -1;
    lastLookAt;
    stoodMs = 0;
    /**
     * @param limitMs how long the counter may stay the same
     * @param everyMs how often `look` is called
     */
    constructor(limitMs, everyMs, now) {
        this.limitMs = limitMs;
        this.everyMs = everyMs;
        this.lastLookAt = now;
    }
    /** @returns whether the counter has stayed the same for too long */
    look(count, now) {
        const passedMs = Math.min(now - this.lastLookAt, 2 * this.everyMs);
        this.lastLookAt = now;
        this.stoodMs = count === this.lastCount ? this.stoodMs + passedMs : 0;
        this.lastCount = count;
        return this.stoodMs >= this.limitMs;
    }
}
//# sourceMappingURL=standstill.js.map