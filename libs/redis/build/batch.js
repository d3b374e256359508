/** Collects what may as well be done a moment later, and does it together. */
export class Batch {
    delayMs;
    work;
    onError;
    #items = [];
    #timer;
    /**
     * @param delayMs longest time that an item waits
     * @param work does all of them; its rejection goes to `onError`
     */
    constructor(delayMs, work, onError) {
        this.delayMs = delayMs;
        this.work = work;
        this.onError = onError;
    }
    add(item) {
        this.#items.push(item);
        this.#timer ??= setTimeout(() => void this.flush(), this.delayMs).unref();
    }
    /** Does at once what has been collected. */
    async flush() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        const items = this.#items;
        if (items.length === 0)
            return;
        this.#items = [];
        await this.work(items).catch(this.onError);
    }
}
//# sourceMappingURL=batch.js.map