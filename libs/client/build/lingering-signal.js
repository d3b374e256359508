/**
 * A signal that follows another one after a while. The request that may create a task is aborted so much later than
 * its call: the answer that is on its way names the task that has to be cancelled.
 */
export class LingeringSignal {
    source;
    #controller = new AbortController();
    #timer;
    #begin;
    constructor(source, graceMs) {
        this.source = source;
        this.#begin = () => {
            this.#timer = setTimeout(() => this.#controller.abort(source.reason), graceMs);
        };
        if (source.aborted)
            this.#begin();
        else
            source.addEventListener('abort', this.#begin, { once: true });
    }
    get signal() {
        return this.#controller.signal;
    }
    /** From now on it is not aborted any more. */
    dispose() {
        clearTimeout(this.#timer);
        this.source.removeEventListener('abort', this.#begin);
    }
}
//# sourceMappingURL=lingering-signal.js.map