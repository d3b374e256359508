/**
 * Calls what is registered once in each interval, with one timer for all of it and spread over the
 * interval: a timer for each of thousands of silent streams would cost more than the streams.
 */
const SLICES = 16;
export class KeepAlive {
    everyMs;
    call;
    #slices = Array.from({ length: SLICES }, () => new Set());
    #timer;
    #now = 0;
    #next = 0;
    constructor(everyMs, call) {
        this.everyMs = everyMs;
        this.call = call;
    }
    /** @returns what removes the item again */
    add(item) {
        const slice = this.#slices[this.#next];
        this.#next = (this.#next + 1) % SLICES;
        slice?.add(item);
        this.#timer ??= setInterval(() => this.#turn(), this.everyMs / SLICES).unref();
        return () => void slice?.delete(item);
    }
    get size() {
        return this.#slices.reduce((size, slice) => size + slice.size, 0);
    }
    *[Symbol.iterator]() {
        for (const slice of this.#slices)
            yield* slice;
    }
    stop() {
        clearInterval(this.#timer);
        this.#timer = undefined;
    }
    #turn() {
        this.#now = (this.#now + 1) % SLICES;
        for (const item of this.#slices[this.#now] ?? [])
            this.call(item);
    }
}
//# sourceMappingURL=keep-alive.js.map