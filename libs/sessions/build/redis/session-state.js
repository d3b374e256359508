import { defineScript } from '@longhaul/redis';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { whileReachable } from '@longhaul/tasks/redis';
import { keptValue, valueFrom } from '../at-rest/session-value.js';
import { DELETE_VALUE, SET_VALUE } from './scripts/session-values.js';
import { RedisSessionBytes } from './session-bytes.js';
import { accountFull, SESSION_STATE_TTL_MS, sessionFull } from '../ports/session-state.js';
/** `SessionState` on Redis: one hash for each session, and a count of its bytes; for each account, one of its sessions. */
export class RedisSessionState {
    deps;
    #ttlMs;
    #set;
    #delete;
    #maxAccountBytes;
    #bytes;
    constructor(deps) {
        this.deps = deps;
        this.#ttlMs = deps.ttlMs ?? SESSION_STATE_TTL_MS;
        this.#set = defineScript(deps.redis, SET_VALUE);
        this.#delete = defineScript(deps.redis, DELETE_VALUE);
        this.#maxAccountBytes = deps.maxAccountBytes ?? FIELD_LIMITS.accountSessionBytes;
        this.#bytes = new RedisSessionBytes({ redis: deps.redis, maxBytes: this.#maxAccountBytes });
    }
    async get(session, name) {
        const json = await whileReachable(() => this.deps.redis.hget(this.#keysOf(session).values, name));
        return json === null ? undefined : valueFrom(this.deps.codec, json, { session, name });
    }
    async set(session, name, value, account = session) {
        await this.#put(session, account, { name, value, isNewOnly: false });
    }
    async add(session, name, value, account = session) {
        return this.#put(session, account, { name, value, isNewOnly: true });
    }
    async delete(session, name) {
        return whileReachable(() => this.#delete(this.#keysOf(session), { name }));
    }
    async names(session, prefix) {
        const names = await whileReachable(() => this.deps.redis.hkeys(this.#keysOf(session).values));
        return names.filter((name) => name.startsWith(prefix)).toSorted();
    }
    async keep(session, ms) {
        await this.#onBoth(session, (key) => this.deps.redis.pexpire(key, ms));
    }
    async clear(session) {
        await this.#onBoth(session, (key) => this.deps.redis.del(key));
    }
    /** @returns whether it was set */
    async #put(session, account, { name, value, isNewOnly }) {
        const { sessionValues: maxValues, sessionBytes: maxBytes } = FIELD_LIMITS;
        const json = await keptValue(this.deps.codec, value, { session, name, account });
        const args = { name, value: json, isNewOnly, ttlMs: this.#ttlMs, maxValues, maxBytes };
        const keys = this.#keysOf(session);
        const sessions = this.deps.keys.sessionsOf(account);
        const bytes = Buffer.byteLength(name) + Buffer.byteLength(json);
        const { verdict, grownBytes } = await this.deps.capacity.admit('creation', json.length, async () => {
            if (!(await this.#bytes.take(sessions, keys.size, bytes)))
                throw accountFull(this.#maxAccountBytes);
            return whileReachable(() => this.#set(keys, args));
        });
        if (grownBytes < bytes)
            await this.#bytes.giveBack(sessions, keys.size, bytes - grownBytes);
        if (verdict === 'too-many' || verdict === 'too-large')
            throw sessionFull(verdict);
        return verdict === 'set';
    }
    async #onBoth(session, run) {
        const { values, size } = this.#keysOf(session);
        await whileReachable(() => Promise.all([run(values), run(size)]));
    }
    #keysOf(session) {
        const { keys } = this.deps;
        return { values: keys.values(session), size: keys.valuesSize(session) };
    }
}
//# sourceMappingURL=session-state.js.map