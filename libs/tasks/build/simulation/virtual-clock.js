/**
 * Time that stands still while code runs, and jumps to the next moment that something waits for when nothing else goes on: a day of sleep
 * takes no time, and the same code always sees the same times.
 */
import { PriorityQueue } from '../replay/priority-queue.js';
import { presentStep } from '../replay/present-step.js';
/** A clock with timers of its own. */
export class VirtualClock {
    startsAtMs;
    timeMs;
    alarms = new PriorityQueue();
    /** Who waits, which is a step mostly, by what forgets the wait. */
    waits = new Map();
    /** @param startsAt epoch milliseconds, or what `Date` takes */
    constructor(startsAt = '2026-01-01T00:00:00Z') {
        this.startsAtMs = new Date(startsAt).getTime();
        if (Number.isNaN(this.startsAtMs))
            throw new RangeError(`A clock starts at a time; got ${String(startsAt)}.`);
        this.timeMs = this.startsAtMs;
    }
    /** The time, epoch milliseconds. */
    now = () => this.timeMs;
    /** Milliseconds since it started. */
    get elapsedMs() {
        return this.timeMs - this.startsAtMs;
    }
    /**
     * Resolves when so much time has passed, which it does by itself: for steps of a test that stand for something slow. With an infinite
     * time it never resolves.
     *
     * @throws the reason of `signal` when it aborts before
     */
    async wait(ms, signal) {
        signal?.throwIfAborted();
        const { promise, resolve, reject } = Promise.withResolvers();
        const forget = this.after(ms, resolve);
        const abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
        this.waits.set(forget, presentStep() ?? forget);
        try {
            await promise;
        }
        finally {
            this.waits.delete(forget);
            forget();
            signal?.removeEventListener('abort', abort);
        }
    }
    after(delayMs, ring) {
        const alarm = { ring };
        this.alarms.add(alarm, this.timeMs + Math.max(0, delayMs));
        return () => {
            alarm.ring = undefined;
        };
    }
    /** How many wait; a step that waits for several times is one. */
    get waiting() {
        return new Set(this.waits.values()).size;
    }
    /** When the next timer rings, epoch milliseconds; infinite without one. */
    get nextAt() {
        for (;;) {
            const at = this.alarms.nextOrder;
            const alarm = this.alarms.take();
            if (alarm === undefined)
                return Number.POSITIVE_INFINITY;
            if (alarm.ring === undefined)
                continue;
            this.alarms.add(alarm, at);
            return at;
        }
    }
    /** Goes on to a time, epoch milliseconds, and rings what is due by then, in the order of its times. */
    advanceTo(atMs) {
        for (let at = this.nextAt; at <= atMs; at = this.nextAt) {
            this.timeMs = Math.max(this.timeMs, at);
            this.alarms.take()?.ring?.();
        }
        this.timeMs = Math.max(this.timeMs, atMs);
    }
    /** Leaves all waits as they are: who waits was killed. */
    abandonWaits() {
        for (const forget of this.waits.keys())
            forget();
        this.waits.clear();
    }
    /** Begins again where it started, without what was set. */
    restart() {
        this.abandonWaits();
        this.timeMs = this.startsAtMs;
        this.alarms = new PriorityQueue();
    }
}
//# sourceMappingURL=virtual-clock.js.map