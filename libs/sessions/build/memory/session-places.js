import { namedAccount, openSession } from '../ports/session-places.js';
import { SESSION_STATE_TTL_MS } from '../ports/session-state.js';
/** Places of one process, gone with it. For tests. */
export class MemorySessionPlaces {
    clock;
    idleMs;
    #places = new Map();
    constructor(clock, idleMs = SESSION_STATE_TTL_MS) {
        this.clock = clock;
        this.idleMs = idleMs;
    }
    async take(account, sessionId, limit) {
        if (this.#openOf(account).length >= limit)
            return false;
        const now = this.clock();
        this.#places.set(sessionId, { account, openedAt: now, until: now + this.idleMs });
        return true;
    }
    async keep(sessionId, ms) {
        const place = this.#places.get(sessionId);
        if (place !== undefined)
            this.#places.set(sessionId, { ...place, until: this.clock() + ms });
    }
    async release(sessionId) {
        this.#places.delete(sessionId);
    }
    async openOf(account, most) {
        const open = this.#openOf(account).toSorted(([, a], [, b]) => b.until - a.until);
        const sessions = open.slice(0, most).map(([id, { openedAt, until }]) => openSession({ id, openedAt, expiresAt: until }));
        return { count: open.length, sessions };
    }
    async *accounts() {
        this.#forgetExpired();
        yield* new Set([...this.#places.values()].map(({ account }) => account).filter((account) => namedAccount(account) !== undefined));
    }
    #openOf(account) {
        this.#forgetExpired();
        return [...this.#places].filter(([, place]) => place.account === account);
    }
    #forgetExpired() {
        const now = this.clock();
        for (const [id, { until }] of this.#places)
            if (until <= now)
                this.#places.delete(id);
    }
}
//# sourceMappingURL=session-places.js.map