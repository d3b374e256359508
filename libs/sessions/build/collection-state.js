import { NO_VERSION } from './ports/owner-records.js';
/** What a process knows of a collection. */
export class CollectionState {
    store;
    name;
    #records = new Map();
    /** By id: what its JSON takes. */
    #sizes = new Map();
    #version = NO_VERSION;
    #bytes = 0;
    #reading;
    /** A look that has not begun yet: those who ask meanwhile get the same one. */
    #next;
    #working = Promise.resolve();
    constructor(store, name) {
        this.store = store;
        this.name = name;
    }
    /** The state that it knows. */
    get version() {
        return this.#version;
    }
    /** About how many bytes of JSON it holds. */
    get bytes() {
        return this.#bytes;
    }
    /** The records as they were, at the earliest, when this was called. They change with the next look. */
    async refreshed(owner) {
        this.#next ??= this.#look(owner);
        await this.#next;
        return this.#records;
    }
    /** Work of which one part runs after the other: what this process changes itself need not be decided twice. */
    oneByOne(work) {
        const done = this.#working.then(work);
        this.#working = done.catch(() => undefined);
        return done;
    }
    async #look(owner) {
        await this.#reading?.catch(() => undefined);
        this.#reading = this.#next;
        this.#next = undefined;
        await this.#read(owner);
    }
    /** Nothing of what it reads is taken before all of it is there. */
    async #read(owner) {
        const found = new Map();
        let [since, isAnew] = [this.#version, false];
        for (let hasMore = true; hasMore;) {
            const page = await this.store.changesSince({ owner, name: this.name }, since);
            if (page.isAnew) {
                isAnew = true;
                found.clear();
            }
            // Page by page, so that what else the process does need not wait for all of them.
            for (const { id, live } of page.records)
                found.set(id, live && { addedAt: live.addedAt, value: JSON.parse(live.json), bytes: id.length + live.json.length });
            ({ version: since, hasMore } = page);
        }
        if (isAnew)
            this.#forget();
        this.#fold(found);
        this.#version = since;
    }
    #forget() {
        this.#records.clear();
        this.#sizes.clear();
        this.#bytes = 0;
        this.#version = NO_VERSION;
    }
    #fold(found) {
        const added = [];
        for (const [id, live] of found) {
            // One that was removed and added again meanwhile has a new place.
            const isKnown = live !== undefined && this.#records.has(id) && live.addedAt <= this.#version.at;
            if (isKnown)
                this.#set(id, live);
            else
                this.#remove(id);
            if (live !== undefined && !isKnown)
                added.push([id, live]);
        }
        for (const [id, live] of added.toSorted(([, one], [, other]) => one.addedAt - other.addedAt))
            this.#set(id, live);
    }
    #set(id, { value, bytes }) {
        this.#bytes += bytes - (this.#sizes.get(id) ?? 0);
        this.#sizes.set(id, bytes);
        this.#records.set(id, value);
    }
    #remove(id) {
        this.#bytes -= this.#sizes.get(id) ?? 0;
        this.#sizes.delete(id);
        this.#records.delete(id);
    }
}
//# sourceMappingURL=collection-state.js.map