/**
 * Callers who have been revoked by an operator. They are records of operators, beside those of owners; gateways read them again and
 * again, which costs one small read, so that no request waits for that.
 */
import { createHash } from 'node:crypto';
import { isJsonObject } from '@longhaul/tasks';
import { createOwnerStore } from './owner-store.js';
/** Records of operators are kept under a name that no owner has. */
export const OPERATORS_OWNER = 'longhaul/operators';
const COLLECTION = 'revoked';
/** Until then every gateway that reaches the store refuses the caller, milliseconds: each looks once a second. */
export const REVOKED_WITHIN_MS = 2_500;
/** Revocations at the same time; more would be a sign that the issuer is the one to end these accounts. */
export const MAX_REVOCATIONS = 10_000;
/** The revocations of a deployment. Every method rejects with `STORE_UNAVAILABLE` while the store cannot be reached. */
export class Revocations {
    #records;
    constructor(records) {
        this.#records = createOwnerStore(records).of({ id: OPERATORS_OWNER }).collection(COLLECTION);
    }
    all() {
        return this.#records.read((records) => [...records.values()].flatMap((record) => revocationIn(record)));
    }
    /** In place of one of the same principal. @returns false when there are too many */
    set(revocation) {
        const id = keyOf(revocation.principal);
        return this.#records.update((records) => {
            if (!records.has(id) && records.size >= MAX_REVOCATIONS)
                return { changes: [], result: false };
            return { changes: [{ id, value: JSON.parse(JSON.stringify(revocation)) }], result: true };
        });
    }
    /** @returns false when there was none */
    lift(principal) {
        const id = keyOf(principal);
        return this.#records.update((records) => ({ changes: [{ id }], result: records.has(id) }));
    }
}
/** Whether the records of the collection are revocations. */
export function areRevocations({ owner, name }) {
    return owner.id === OPERATORS_OWNER && name === COLLECTION;
}
/** Finds the revocations of callers, at a moment. */
export class RevocationIndex {
    #byKey;
    constructor(revocations) {
        this.#byKey = new Map(revocations.map((revocation) => [textOfPrincipal(revocation.principal), revocation]));
    }
    get isEmpty() {
        return this.#byKey.size === 0;
    }
    /** Those that mean the caller; none for nearly all callers. */
    of({ issuer, tenant, subject }) {
        if (this.isEmpty)
            return NONE;
        const principals = issuer === undefined ? [{ name: subject }] : [{ issuer, subject, tenant }, { issuer, subject }, { issuer, tenant }, { issuer }];
        const found = [...new Set(principals.map(textOfPrincipal))].flatMap((key) => this.#byKey.get(key) ?? []);
        return found.length === 0 ? NONE : found;
    }
}
const NONE = [];
/** A hash, because ids of records are short, and names are not. */
function keyOf(principal) {
    return createHash('sha256').update(textOfPrincipal(principal)).digest('base64url');
}
/** The same for the same principal, and for no other. */
export function textOfPrincipal(principal) {
    const parts = 'name' in principal ? [principal.name] : [principal.issuer, principal.subject ?? null, principal.tenant ?? null];
    return JSON.stringify(parts);
}
function revocationIn(record) {
    return isJsonObject(record) ? [record] : [];
}
//# sourceMappingURL=revocations.js.map