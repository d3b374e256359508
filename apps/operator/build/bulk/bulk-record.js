/** What can be done to many tasks. */
export const BULK_ACTIONS = ['cancel', 'retry', 'answer'];
/** An operation of which nothing is done yet. */
export const NOTHING_DONE = { state: 'running', done: 0, skipped: 0, failed: 0, failures: [], pending: [], heldUntil: 0 };
/** So many operations that have ended are kept. */
const KEPT_ENDED = 100;
/** The bulk operations of a deployment, in the store. */
export class BulkRecords {
    collection;
    constructor(collection) {
        this.collection = collection;
    }
    /** Newest first. */
    async all() {
        const records = await this.collection.read((found) => [...found.values()].map(recordOf));
        return records.toSorted((a, b) => b.createdAt - a.createdAt);
    }
    get(id) {
        return this.collection.read((found) => {
            const value = found.get(id);
            return value === undefined ? undefined : recordOf(value);
        });
    }
    /** Adds one, and forgets the oldest of those that have ended. */
    async add(record) {
        await this.collection.update((found) => {
            const ended = [...found.values()].map(recordOf).filter(({ state }) => state !== 'running');
            const oldest = ended.toSorted((a, b) => b.createdAt - a.createdAt).slice(KEPT_ENDED - 1);
            return { changes: [...oldest.map(({ id }) => ({ id })), { id: record.id, value: jsonOf(record) }], result: undefined };
        });
    }
    /**
     * Changes one in one step.
     *
     * @param change decides on the present one; nothing is changed when it returns nothing
     * @returns what it is now, nothing when it was not changed
     */
    change(id, change) {
        return this.collection.update((found) => {
            const value = found.get(id);
            const changed = value === undefined ? undefined : change(recordOf(value));
            return { changes: changed === undefined ? [] : [{ id, value: jsonOf(changed) }], result: changed };
        });
    }
}
function recordOf(value) {
    return value;
}
function jsonOf(record) {
    return record;
}
//# sourceMappingURL=bulk-record.js.map