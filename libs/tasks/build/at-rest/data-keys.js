/**
 * The data keys of one process. A scope (a tenant) has one, made when it first writes, and kept in the store wrapped by the key of
 * the ring that writes. Of several processes that make it at once, the first one's is taken by all.
 *
 * A store may lose its last writes, and with them a key that processes go on using, while others make another one. So a process puts
 * back what it knows, and takes the one that writes from the store again: then both are read with, and all write with the same.
 */
import { createSecretKey, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { TaskError } from '../errors.js';
import { decrypted, encrypted, newSecret } from './envelope.js';
/** An id has 16 characters. */
const ID_BYTES = 12;
const USE = 'data keys';
/** Data keys that a process keeps in memory. */
const MAX_KEPT = 10_000;
/** A key that is used is put back into a store that has lost it, so long after the store was last known to have it, milliseconds. */
export const CONFIRMED_EVERY_MS = 60_000;
export class DataKeys {
    deps;
    #scopes = new LRUCache({ max: MAX_KEPT });
    #byId = new LRUCache({ max: MAX_KEPT });
    #loadingScopes = new Map();
    #loadingKeys = new Map();
    constructor(deps) {
        this.deps = deps;
    }
    /** The keys of a scope; one is made if there is none. @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE`, `STORE_UNAVAILABLE` */
    ofScope(scope) {
        const known = this.#scopes.get(scope);
        if (known?.inOrder === undefined)
            return once(this.#loadingScopes, scope, () => this.#loadScope(scope));
        this.#confirm(known);
        return known.inOrder;
    }
    /** The key of that id. @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE`, `STORE_UNAVAILABLE` */
    byId(id) {
        const key = this.#byId.get(id);
        if (key === undefined)
            return once(this.#loadingKeys, id, () => this.#loadKey(id));
        this.#confirm(this.#known(key.scope));
        return key;
    }
    async #loadKey(id) {
        const record = await this.deps.store.find(id);
        if (record === undefined)
            throw new TaskError('KEY_MISSING', `The value is encrypted with the data key ${id}, which is gone.`);
        if (record.id !== id)
            throw notTheOneKept(id);
        return this.#take(record);
    }
    async #loadScope(scope) {
        const { store } = this.deps;
        const kept = await store.ofScope(scope);
        if (kept.length > 0)
            return this.#learn(scope, kept);
        return this.#learn(scope, await store.add(this.#newRecord(scope)));
    }
    #newRecord(scope) {
        const id = randomBytes(ID_BYTES).toString('base64url');
        return wrap({ id, scope, createdAt: this.#now(), secret: newSecret() }, this.deps.ring.current);
    }
    /** Takes the keys of a scope from the store. Of those that do not write, some may not be readable. */
    #learn(scope, records) {
        const [first, ...rest] = records;
        if (first === undefined || records.some((record) => record.scope !== scope))
            throw notTheOneKept(first?.id ?? scope);
        const others = rest.filter((record) => this.#byId.has(record.id) || isReadable(record, this.deps.ring));
        const inOrder = [this.#take(first), ...others.map((record) => this.#take(record))];
        this.#known(scope).inOrder = inOrder;
        return inOrder;
    }
    #take(record) {
        const key = this.#byId.get(record.id) ?? { ...unwrapped(record, this.deps.ring), createdAt: record.createdAt };
        this.#byId.set(key.id, key);
        this.#known(key.scope).keys.set(key.id, key);
        return key;
    }
    #known(scope) {
        const known = this.#scopes.get(scope);
        if (known !== undefined)
            return known;
        const begun = { scope, keys: new Map(), confirmedAt: this.#now() };
        this.#scopes.set(scope, begun);
        return begun;
    }
    /** Puts the keys of a scope back, should the store have lost them. It is done now and then, and nobody waits for it. */
    #confirm(known) {
        const now = this.#now();
        if (now - known.confirmedAt < CONFIRMED_EVERY_MS)
            return;
        known.confirmedAt = now;
        // What fails is tried again a minute later; what needs the store meanwhile fails with the reason.
        this.#putBack(known).catch(() => undefined);
    }
    async #putBack({ scope, keys }) {
        const { ring, store } = this.deps;
        let records = [];
        for (const key of keys.values())
            records = await store.putBack(wrap(key, ring.current));
        if (records.length > 0)
            this.#learn(scope, records);
    }
    #now() {
        return (this.deps.clock ?? Date.now)();
    }
}
/** The one load of that name that is under way. */
function once(loading, name, load) {
    const underWay = loading.get(name) ?? load().finally(() => loading.delete(name));
    loading.set(name, underWay);
    return underWay;
}
/** A data key, as it is kept when the key of the ring wraps it. */
export function wrap({ id, scope, createdAt, secret }, key) {
    const { id: ringKeyId, name } = key;
    const wrapped = encrypted(key.of(USE), secret.export(), bindingOf({ id, scope, ringKeyId })).toString('base64url');
    return { id, scope, ringKeyId, ringKeyName: name, wrapped, createdAt };
}
/** The data key of a record. @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE` */
export function unwrapped(record, ring) {
    const { id, scope, ringKeyId, ringKeyName, wrapped } = record;
    const key = ring.key(ringKeyId);
    if (key === undefined)
        throw new TaskError('KEY_MISSING', `The value needs the key "${ringKeyName}" (${ringKeyId}), which LONGHAUL_KEYS of this process does not have.`);
    const bytes = decrypted(key.of(USE), Buffer.from(wrapped, 'base64url'), bindingOf(record));
    if (bytes === undefined)
        throw notTheOneKept(id);
    return { id, scope, secret: createSecretKey(bytes) };
}
function isReadable(record, ring) {
    try {
        unwrapped(record, ring);
        return true;
    }
    catch {
        return false; // What needs it fails with the reason.
    }
}
function notTheOneKept(id) {
    return new TaskError('VALUE_NOT_GENUINE', `The data key ${id} is not the one that was kept: something else has changed it.`);
}
function bindingOf({ id, scope, ringKeyId }) {
    return JSON.stringify([id, scope, ringKeyId]);
}
//# sourceMappingURL=data-keys.js.map