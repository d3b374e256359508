/** `DataKeyStore` in memory. */
export class MemoryDataKeys {
    /** In the order in which they were added. */
    #records = new Map();
    async find(id) {
        return this.#records.get(id);
    }
    async ofScope(scope) {
        return this.#ofScope(scope);
    }
    async add(record) {
        const kept = this.#ofScope(record.scope);
        return kept.length > 0 ? kept : this.putBack(record);
    }
    async putBack(record) {
        if (!this.#records.has(record.id))
            this.#records.set(record.id, record);
        return this.#ofScope(record.scope);
    }
    async replace(was, record) {
        if (this.#records.get(was.id)?.wrapped !== was.wrapped)
            return false;
        this.#records.set(was.id, record);
        return true;
    }
    async *all() {
        yield [...this.#records.values()];
    }
    #ofScope(scope) {
        return [...this.#records.values()].filter((record) => record.scope === scope);
    }
}
//# sourceMappingURL=data-keys.js.map