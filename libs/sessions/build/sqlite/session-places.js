import { removeExpired } from '@longhaul/sqlite';
import { whileUsable, writing } from '@longhaul/tasks';
import { hashOfAccount } from '../account-hash.js';
import { namedAccount, openSession } from '../ports/session-places.js';
import { SESSION_STATE_TTL_MS } from '../ports/session-state.js';
/** Names that are read at once. */
const PAGE = 1_000;
const OPEN = 'FROM open_sessions WHERE account = ? AND expires_at > ?';
/** Places in the data file, a row for each session. */
export class SqliteSessionPlaces {
    file;
    idleMs;
    constructor(file, idleMs = SESSION_STATE_TTL_MS) {
        this.file = file;
        this.idleMs = idleMs;
    }
    take(account, sessionId, limit) {
        const { database, clock } = this.file;
        const hash = hashOfAccount(account);
        return writing(this.file, () => {
            const now = clock();
            removeExpired(database, 'open_sessions', now);
            const { taken } = database.get(`SELECT count(*) AS taken ${OPEN}`, hash, now);
            if (taken >= limit)
                return false;
            const sql = 'INSERT OR REPLACE INTO open_sessions (session, account, owner, opened_at, expires_at) VALUES (?, ?, ?, ?, ?)';
            database.run(sql, sessionId, hash, namedAccount(account) ?? null, now, now + this.idleMs);
            return true;
        });
    }
    async keep(sessionId, ms) {
        const { database, clock } = this.file;
        await writing(this.file, () => database.run('UPDATE open_sessions SET expires_at = ? WHERE session = ?', clock() + ms, sessionId));
    }
    async release(sessionId) {
        const { database } = this.file;
        await writing(this.file, () => database.run('DELETE FROM open_sessions WHERE session = ?', sessionId));
    }
    openOf(account, most) {
        const { database, clock } = this.file;
        const [hash, now] = [hashOfAccount(account), clock()];
        return whileUsable(() => {
            const { count } = database.get(`SELECT count(*) AS count ${OPEN}`, hash, now);
            const sql = `SELECT session, opened_at, expires_at ${OPEN} ORDER BY expires_at DESC LIMIT ?`;
            return { count, sessions: database.all(sql, hash, now, most).map(shown) };
        });
    }
    async *accounts() {
        const { database, clock } = this.file;
        const sql = 'SELECT DISTINCT owner FROM open_sessions WHERE owner > ? AND expires_at > ? ORDER BY owner LIMIT ?';
        for (let last = '';;) {
            const after = last;
            const rows = await whileUsable(() => database.all(sql, after, clock(), PAGE));
            for (const { owner } of rows)
                yield (last = owner);
            if (rows.length < PAGE)
                return;
        }
    }
}
function shown({ session: id, opened_at: openedAt, expires_at: expiresAt }) {
    return openSession({ id, expiresAt, ...(openedAt !== null && { openedAt }) });
}
//# sourceMappingURL=session-places.js.map