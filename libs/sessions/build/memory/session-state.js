import { FIELD_LIMITS } from '@longhaul/tasks';
import { accountFull, SESSION_STATE_TTL_MS, sessionFull, valueText } from '../ports/session-state.js';
/** `SessionState` in memory. */
export class MemorySessionState {
    clock;
    ttlMs;
    maxAccountBytes;
    #sessions = new Map();
    constructor(clock, ttlMs = SESSION_STATE_TTL_MS, maxAccountBytes = FIELD_LIMITS.accountSessionBytes) {
        this.clock = clock;
        this.ttlMs = ttlMs;
        this.maxAccountBytes = maxAccountBytes;
    }
    async get(session, name) {
        const json = this.#live(session)?.values.get(name);
        return json === undefined ? undefined : JSON.parse(json);
    }
    async set(session, name, value, account = session) {
        const found = this.#live(session) ?? { values: new Map(), account, expiresAt: this.clock() + this.ttlMs };
        const json = valueText(value);
        const others = [...found.values].filter(([other]) => other !== name);
        if (others.length >= FIELD_LIMITS.sessionValues)
            throw sessionFull('too-many');
        const bytes = bytesOf([...others, [name, json]]);
        if (bytes > FIELD_LIMITS.sessionBytes)
            throw sessionFull('too-large');
        if (bytes + this.#bytesOfOthers(session, account) > this.maxAccountBytes)
            throw accountFull(this.maxAccountBytes);
        found.values.set(name, json);
        found.account = account;
        this.#sessions.set(session, found);
    }
    async add(session, name, value, account = session) {
        if (this.#live(session)?.values.has(name) === true)
            return false;
        await this.set(session, name, value, account);
        return true;
    }
    async delete(session, name) {
        return this.#live(session)?.values.delete(name) ?? false;
    }
    async names(session, prefix) {
        const names = [...(this.#live(session)?.values.keys() ?? [])];
        return names.filter((name) => name.startsWith(prefix)).toSorted();
    }
    async keep(session, ms) {
        const found = this.#live(session);
        if (found !== undefined)
            found.expiresAt = this.clock() + ms;
    }
    async clear(session) {
        this.#sessions.delete(session);
    }
    #bytesOfOthers(session, account) {
        const others = [...this.#sessions.keys()].filter((other) => other !== session && this.#live(other)?.account === account);
        return others.reduce((sum, other) => sum + bytesOf([...(this.#live(other)?.values ?? [])]), 0);
    }
    #live(session) {
        const found = this.#sessions.get(session);
        if (found === undefined || found.expiresAt > this.clock())
            return found;
        this.#sessions.delete(session);
        return undefined;
    }
}
function bytesOf(entries) {
    return entries.reduce((sum, [name, json]) => sum + Buffer.byteLength(name) + Buffer.byteLength(json), 0);
}
//# sourceMappingURL=session-state.js.map