import { removeExpired } from '@longhaul/sqlite';
import { FIELD_LIMITS, whileUsable, writing } from '@longhaul/tasks';
import { keptValue, valueFrom } from '../at-rest/session-value.js';
import { accountFull, SESSION_STATE_TTL_MS, sessionFull } from '../ports/session-state.js';
import { bytesOfAccount } from './account-bytes.js';
/** `SessionState` in the data file: a row for each value, and one for each session with what its values take together. */
export class SqliteSessionState {
    deps;
    #ttlMs;
    #maxAccountBytes;
    constructor(deps) {
        this.deps = deps;
        this.#ttlMs = deps.ttlMs ?? SESSION_STATE_TTL_MS;
        this.#maxAccountBytes = deps.maxAccountBytes ?? FIELD_LIMITS.accountSessionBytes;
    }
    async get(session, name) {
        const row = await whileUsable(() => this.deps.database.get(`SELECT v.json FROM session_values v JOIN value_holders h ON h.session = v.session
         WHERE v.session = ? AND v.name = ? AND h.expires_at > ?`, session, name, this.deps.clock()));
        return row && valueFrom(this.deps.codec, row.json, { session, name });
    }
    async set(session, name, value, account = session) {
        const put = await this.#newValue(session, name, value, account);
        await this.#write(put, () => this.#put(put));
    }
    async add(session, name, value, account = session) {
        const added = await this.#newValue(session, name, value, account);
        return this.#write(added, () => {
            this.#removeIfExpired(session);
            if (this.deps.database.get('SELECT 1 FROM session_values WHERE session = ? AND name = ?', session, name) !== undefined)
                return false;
            this.#put(added);
            return true;
        });
    }
    async delete(session, name) {
        return writing(this.deps, () => {
            this.#removeIfExpired(session);
            const removed = this.deps.database.get('DELETE FROM session_values WHERE session = ? AND name = ? RETURNING bytes', session, name);
            if (removed !== undefined)
                this.deps.database.run('UPDATE value_holders SET bytes = bytes - ? WHERE session = ?', removed.bytes, session);
            return removed !== undefined;
        });
    }
    async names(session, prefix) {
        const rows = await whileUsable(() => this.deps.database.all('SELECT v.name FROM session_values v JOIN value_holders h ON h.session = v.session WHERE v.session = ? AND h.expires_at > ?', session, this.deps.clock()));
        return rows
            .map(({ name }) => name)
            .filter((name) => name.startsWith(prefix))
            .toSorted();
    }
    async keep(session, ms) {
        const now = this.deps.clock();
        await writing(this.deps, () => this.deps.database.run('UPDATE value_holders SET expires_at = ? WHERE session = ? AND expires_at > ?', now + ms, session, now));
    }
    async clear(session) {
        await writing(this.deps, () => this.deps.database.run('DELETE FROM value_holders WHERE session = ?', session));
    }
    #write({ bytes }, write) {
        return this.deps.capacity.admit('creation', bytes, () => writing(this.deps, write));
    }
    #put({ session, name, json, bytes, account }) {
        const now = this.deps.clock();
        this.#removeIfExpired(session);
        const others = this.deps.database.get('SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM session_values WHERE session = ? AND name <> ?', session, name);
        if (others.count >= FIELD_LIMITS.sessionValues)
            throw sessionFull('too-many');
        const total = others.bytes + bytes;
        if (total > FIELD_LIMITS.sessionBytes)
            throw sessionFull('too-large');
        const held = this.deps.database.get('SELECT account, bytes FROM value_holders WHERE session = ?', session);
        const own = held?.account === account ? held.bytes : 0;
        if (bytesOfAccount(this.deps.database, account, now) - own + total > this.#maxAccountBytes)
            throw accountFull(this.#maxAccountBytes);
        if (held === undefined)
            removeExpired(this.deps.database, 'value_holders', now);
        this.deps.database.run(`INSERT INTO value_holders (session, account, bytes, expires_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (session) DO UPDATE SET account = excluded.account, bytes = excluded.bytes`, session, account, total, now + this.#ttlMs);
        this.deps.database.run(`INSERT INTO session_values (session, name, bytes, json) VALUES (?, ?, ?, ?)
       ON CONFLICT (session, name) DO UPDATE SET bytes = excluded.bytes, json = excluded.json`, session, name, bytes, json);
    }
    async #newValue(session, name, value, account) {
        const json = await keptValue(this.deps.codec, value, { session, name, account });
        return { session, name, json, bytes: Buffer.byteLength(name) + Buffer.byteLength(json), account };
    }
    #removeIfExpired(session) {
        this.deps.database.run('DELETE FROM value_holders WHERE session = ? AND expires_at <= ?', session, this.deps.clock());
    }
}
//# sourceMappingURL=session-state.js.map