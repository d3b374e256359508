/**
 * That something ends once: for listeners, and as a signal. A gateway holds many streams that do nothing, and an `AbortSignal` with a
 * listener takes half a KiB, so there is one only when somebody asks for it.
 */
export class Ending {
    /** Nothing when it is over. */
    #listeners = [];
    #controller;
    get isOver() {
        return this.#listeners === undefined;
    }
    /** Aborts when it is over. */
    get signal() {
        this.#controller ??= new AbortController();
        if (this.isOver)
            this.#controller.abort();
        return this.#controller.signal;
    }
    /** Calls the listener once, when it is over or at once. */
    whenOver(listener) {
        if (this.#listeners === undefined)
            listener();
        else
            this.#listeners.push(listener);
    }
    end() {
        const listeners = this.#listeners;
        if (listeners === undefined)
            return;
        this.#listeners = undefined;
        this.#controller?.abort();
        for (const listener of listeners)
            listener();
    }
}
//# sourceMappingURL=ending.js.map