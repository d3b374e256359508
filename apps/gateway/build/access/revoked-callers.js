/**
 * Knows who has been revoked, and says so to what is open for them. It looks once a second, so that no request waits for it; while the
 * store cannot be reached it goes by what it knew.
 */
import { callerOfOwner, REVOKED_WITHIN_MS, RevocationIndex } from '@longhaul/sessions';
const LOOK_MS = 1_000;
export class RevokedCallers {
    options;
    #index = new RevocationIndex([]);
    #timer;
    #isStopped = false;
    #open = new Map();
    constructor(options) {
        this.options = options;
    }
    /** Looks for the first time. @throws TaskError `STORE_UNAVAILABLE` */
    async start() {
        await this.#look();
        this.#again();
    }
    stop() {
        this.#isStopped = true;
        clearTimeout(this.#timer);
    }
    /** Whether the token is good no longer. One that does not say when it was issued was so before. */
    isRevoked(principal) {
        return this.#index
            .of(principal)
            .some(({ issuedBefore }) => issuedBefore === undefined || (principal.issuedAt ?? -Infinity) < issuedBefore);
    }
    withheldUntil(owner) {
        if (this.#index.isEmpty)
            return undefined;
        const caller = callerOfOwner(owner);
        const found = caller === undefined ? [] : this.#index.of(caller);
        return found.length === 0 ? undefined : Math.max(...found.map(({ at }) => at)) + REVOKED_WITHIN_MS;
    }
    /** Calls the listener when the caller is revoked. @returns what keeps it from being called */
    watch(principal, listener) {
        this.#open.set(listener, principal);
        return () => this.#open.delete(listener);
    }
    async #look() {
        this.#index = new RevocationIndex(await this.options.revocations.all());
        if (this.#index.isEmpty)
            return;
        for (const [listener, principal] of this.#open)
            if (this.isRevoked(principal)) {
                this.#open.delete(listener);
                listener();
            }
    }
    #again() {
        if (this.#isStopped)
            return;
        this.#timer = setTimeout(() => {
            void this.#look()
                .catch(this.options.onError)
                .finally(() => this.#again());
        }, LOOK_MS).unref();
    }
}
//# sourceMappingURL=revoked-callers.js.map