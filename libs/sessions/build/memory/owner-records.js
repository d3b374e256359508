import { randomUUID } from 'node:crypto';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { bytesOfRecord, NO_VERSION, RECORD_LIMITS, tooManyCollections, } from '../ports/owner-records.js';
import { accountFull } from '../ports/session-state.js';
/** `OwnerRecords` in memory. Removals are remembered for as long as the collection has anything in it. */
export class MemoryOwnerRecords {
    clock;
    maxAccountBytes;
    #owners = new Map();
    /** By collection: the update that others wait for. */
    #turns = new Map();
    constructor(clock, maxAccountBytes = FIELD_LIMITS.accountSessionBytes) {
        this.clock = clock;
        this.maxAccountBytes = maxAccountBytes;
    }
    async changesSince({ owner, name }, since) {
        const collection = this.#used(owner)?.collections.get(name);
        if (collection === undefined)
            return { version: NO_VERSION, isAnew: since.epoch !== '', hasMore: false, records: [] };
        const isAnew = since.epoch !== collection.epoch;
        const from = isAnew ? 0 : since.at;
        const all = [...collection.records.values()].filter(({ changedAt }) => changedAt > from);
        const page = all.slice(0, RECORD_LIMITS.pageRecords);
        const hasMore = page.length < all.length;
        const at = hasMore ? (page.at(-1)?.changedAt ?? from) : collection.at;
        return { version: { epoch: collection.epoch, at }, isAnew, hasMore, records: page.map(({ found }) => found) };
    }
    async apply({ owner, name }, { since, changes, maxBytes, update }) {
        const owned = this.#used(owner);
        const present = owned?.collections.get(name);
        const isPresent = since.epoch === (present?.epoch ?? '') && since.at === (present?.at ?? 0);
        if (!this.#mayApply(JSON.stringify([owner.id, name]), isPresent, update))
            return 'conflict';
        if (present === undefined && owned !== undefined && owned.collections.size >= RECORD_LIMITS.collections)
            throw tooManyCollections();
        const collection = present ?? { epoch: randomUUID(), at: 0, records: new Map(), bytes: 0 };
        const grown = changes.reduce((sum, change) => sum + growthBy(change, collection), 0);
        if (grown > 0 && collection.bytes + grown > maxBytes)
            return 'too-large';
        if (grown > 0 && owner.account !== undefined && this.#bytesOf(owner.account) + grown > this.maxAccountBytes)
            throw accountFull(this.maxAccountBytes);
        for (const change of changes)
            put(change, collection);
        collection.bytes += grown;
        this.#set(owner, name, collection);
        return 'applied';
    }
    async keep(ownerId, ms) {
        const owned = this.#live(ownerId);
        if (owned !== undefined)
            owned.expiresAt = this.clock() + ms;
    }
    async clear(ownerId) {
        this.#owners.delete(ownerId);
    }
    #mayApply(collection, isPresent, update) {
        const found = this.#turns.get(collection);
        const next = found !== undefined && found.until > this.clock() ? found : undefined;
        const mayApply = isPresent && (next === undefined || next.update === update);
        if (mayApply)
            this.#turns.delete(collection);
        else if (update !== undefined && next === undefined)
            this.#turns.set(collection, { update, until: this.clock() + RECORD_LIMITS.turnMs });
        return mayApply;
    }
    #set({ id, account, idleMs }, name, collection) {
        const owned = this.#live(id) ?? { collections: new Map(), account, expiresAt: Infinity };
        if (collection.bytes > 0)
            owned.collections.set(name, collection);
        else
            owned.collections.delete(name);
        owned.account = account;
        owned.expiresAt = idleMs === undefined ? Infinity : this.clock() + idleMs;
        if (owned.collections.size > 0)
            this.#owners.set(id, owned);
        else
            this.#owners.delete(id);
    }
    #bytesOf(account) {
        const owners = [...this.#owners].filter(([id, owned]) => owned.account === account && this.#live(id) !== undefined);
        return owners.reduce((sum, [, { collections }]) => [...collections.values()].reduce((all, { bytes }) => all + bytes, sum), 0);
    }
    #used({ id, idleMs }) {
        const owned = this.#live(id);
        if (owned !== undefined && idleMs !== undefined)
            owned.expiresAt = this.clock() + idleMs;
        return owned;
    }
    #live(id) {
        const owned = this.#owners.get(id);
        if (owned === undefined || owned.expiresAt > this.clock())
            return owned;
        this.#owners.delete(id);
        return undefined;
    }
}
function growthBy({ id, json }, { records }) {
    const old = records.get(id)?.found.live?.json;
    const before = old === undefined ? 0 : bytesOfRecord({ id, json: old });
    return (json === undefined ? 0 : bytesOfRecord({ id, json })) - before;
}
function put({ id, json }, collection) {
    const { records } = collection;
    const old = records.get(id)?.found.live;
    if (json === undefined && old === undefined)
        return;
    const changedAt = ++collection.at;
    const found = json === undefined ? { id } : { id, live: { addedAt: old?.addedAt ?? changedAt, json } };
    records.delete(id);
    records.set(id, { changedAt, found });
}
//# sourceMappingURL=owner-records.js.map