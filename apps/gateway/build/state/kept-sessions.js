import { LRUCache } from 'lru-cache';
const MAX_KEPT = 10_000;
/**
 * Keeps sessions for a moment, so that requests that follow each other do not each read theirs. A gateway that misses the message
 * of a change goes by what was for no longer than that moment.
 */
export class KeptSessions {
    store;
    options;
    /** Those that are on their way too: requests that come at once share one look. */
    #kept;
    constructor(store, options) {
        this.store = store;
        this.options = options;
        this.#kept = new LRUCache({ max: MAX_KEPT, ttl: options.ms });
    }
    create(session) {
        return this.store.create(session);
    }
    load(id) {
        const kept = this.#kept.get(id);
        if (kept !== undefined)
            return kept;
        const loading = this.store.load(id);
        if (this.options.ms === 0)
            return loading;
        this.#kept.set(id, loading);
        const forget = () => {
            if (this.#kept.peek(id) === loading)
                this.forget(id);
        };
        loading.then((session) => session ?? forget(), forget);
        return loading;
    }
    touch(id) {
        return this.store.touch(id);
    }
    async setLogLevel(id, level) {
        await this.store.setLogLevel(id, level);
        await this.options.announce(id);
    }
    async shutDown(id) {
        await this.store.shutDown(id);
        await this.options.announce(id);
    }
    async end(id) {
        const hasEnded = await this.store.end(id);
        this.forget(id);
        return hasEnded;
    }
    /** The next request reads it. */
    forget(id) {
        this.#kept.delete(id);
    }
    forgetAll() {
        this.#kept.clear();
    }
}
//# sourceMappingURL=kept-sessions.js.map