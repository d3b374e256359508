import { PriorityQueue } from './priority-queue.js';
/** Keeps the times of one pass with a single timer: of its durable timers, its retries, and its steps' limits. */
export class PassAlarm {
    clock;
    timers;
    onDue;
    times = new PriorityQueue();
    forget = () => undefined;
    ringsAt = Number.POSITIVE_INFINITY;
    constructor(clock, timers, 
    /** Called with a key that was set when its time has come; whether that still matters is up to it. */
    onDue) {
        this.clock = clock;
        this.timers = timers;
        this.onDue = onDue;
    }
    /** Has `key` called at a time, epoch milliseconds. */
    set(key, at) {
        this.times.add(key, at);
        this.arm();
    }
    stop() {
        this.forget();
        this.ringsAt = Number.NEGATIVE_INFINITY;
    }
    arm() {
        const at = this.times.nextOrder;
        if (at >= this.ringsAt)
            return;
        this.forget();
        this.ringsAt = at;
        this.forget = this.timers.after(at - this.clock(), () => this.ring());
    }
    ring() {
        this.ringsAt = Number.POSITIVE_INFINITY;
        for (const now = this.clock(); this.times.nextOrder <= now;) {
            const key = this.times.take();
            if (key !== undefined)
                this.onDue(key);
        }
        this.arm();
    }
}
//# sourceMappingURL=pass-alarm.js.map