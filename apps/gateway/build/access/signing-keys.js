/**
 * The keys of an issuer. They are fetched when they are needed first, and again when they are old, or a token names one that is not
 * known; after each fetch, be it in vain, there is none for a while, for any token. While the issuer does not answer, known keys
 * go on being used for a limited time. After that nobody can say what a token is worth, and nobody is let in.
 */
import { within } from '@longhaul/runtime/within';
import { createLocalJWKSet, errors } from 'jose';
/** Keys that are younger are used as they are. */
export const FRESH_MS = 10 * 60_000;
/** The least time between two fetches while keys are known. */
export const COOLDOWN_MS = 30_000;
/** The same while none are. */
const COOLDOWN_WITHOUT_MS = 1_000;
/** How long a token waits for new keys while old ones can be used. */
export const PATIENCE_MS = 1_000;
/** Nobody can say now whether a token is good. */
export class IssuerUnavailable extends Error {
    name = 'IssuerUnavailable';
}
export class SigningKeys {
    options;
    #now;
    #find;
    #fetchedAt = -Infinity;
    #triedAt = -Infinity;
    #fetching;
    constructor(options) {
        this.options = options;
        this.#now = options.now ?? (() => performance.now());
    }
    /** The key that a token is signed with, by its header. @throws IssuerUnavailable; JWKSNoMatchingKey of jose when the issuer has none */
    keyFor = async (header, token) => {
        if (this.#age >= FRESH_MS)
            await this.#refresh();
        try {
            return await this.#known(header, token);
        }
        catch (error) {
            if (!(error instanceof errors.JWKSNoMatchingKey) || !(await this.#fetch()))
                throw error;
            return this.#known(header, token);
        }
    };
    /** The keys as long as no newer ones have to be looked for; what was verified by the same ones is good still. */
    get fresh() {
        return this.#age < FRESH_MS ? this.#find : undefined;
    }
    get #age() {
        return this.#now() - this.#fetchedAt;
    }
    /** Those that are known and not too old. */
    get #usable() {
        return this.#age < FRESH_MS + this.options.staleMs ? this.#find : undefined;
    }
    #known(...of) {
        const find = this.#usable;
        if (find === undefined)
            throw new IssuerUnavailable(`The keys of ${this.options.issuer} cannot be fetched.`);
        return find(...of);
    }
    /** Fetches old ones again. While they can be used nobody waits long for that: an issuer that hangs is one that does not answer. */
    async #refresh() {
        const fetched = this.#fetch();
        await (this.#usable !== undefined ? within(PATIENCE_MS, fetched, () => false) : fetched);
    }
    /** Fetches them, once for all who wait for that. @returns false when it is too early for that */
    async #fetch() {
        if (this.#fetching === undefined) {
            const cooldownMs = this.#find === undefined ? COOLDOWN_WITHOUT_MS : COOLDOWN_MS;
            if (this.#now() - this.#triedAt < cooldownMs)
                return false;
            this.#triedAt = this.#now();
            this.#fetching = this.#tryToFetch().finally(() => {
                this.#fetching = undefined;
            });
        }
        await this.#fetching;
        return true;
    }
    async #tryToFetch() {
        const { fetchKeys, onError } = this.options;
        try {
            this.#find = createLocalJWKSet((await fetchKeys()));
            this.#fetchedAt = this.#now();
        }
        catch (error) {
            onError(error);
        }
    }
}
//# sourceMappingURL=signing-keys.js.map