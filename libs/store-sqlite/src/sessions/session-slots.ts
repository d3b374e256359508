import { namedAccount, openSession, SESSION_STATE_TTL_MS } from '@longhaul/sessions/store';
import { hashOfAccount, type OpenSessions, type SessionSlots } from '@longhaul/sessions';
import { type TaskFile, whileUsable, writing } from '../tasks/task-file.js';
import { removeExpired } from '@longhaul/sqlite';

/** How many names are read at once. */
const PAGE = 1_000;

const OPEN = 'FROM open_sessions WHERE account = ? AND expires_at > ?';

interface Row {
  readonly session: string;
  readonly opened_at: number;
  readonly expires_at: number;
}

/** Stores places in the data file, one row for each session. */
export class SqliteSessionSlots implements SessionSlots {
  constructor(
    private readonly file: TaskFile,
    private readonly idleMs = SESSION_STATE_TTL_MS,
  ) {}

  take(account: string, sessionId: string, limit: number): Promise<boolean> {
    const { database, clock } = this.file;
    const hash = hashOfAccount(account);
    return writing(this.file, () => {
      const now = clock();
      removeExpired(database, 'open_sessions', now);
      const { taken } = database.get(`SELECT count(*) AS taken ${OPEN}`, hash, now) as { taken: number };
      if (taken >= limit) return false;
      const sql = 'INSERT OR REPLACE INTO open_sessions (session, account, owner, opened_at, expires_at) VALUES (?, ?, ?, ?, ?)';
      database.run(sql, sessionId, hash, namedAccount(account) ?? null, now, now + this.idleMs);
      return true;
    });
  }

  async keep(sessionId: string, ms: number): Promise<void> {
    const { database, clock } = this.file;
    await writing(this.file, () => database.run('UPDATE open_sessions SET expires_at = ? WHERE session = ?', clock() + ms, sessionId));
  }

  async release(sessionId: string): Promise<void> {
    const { database } = this.file;
    await writing(this.file, () => database.run('DELETE FROM open_sessions WHERE session = ?', sessionId));
  }

  openOf(account: string, most: number): Promise<OpenSessions> {
    const { database, clock } = this.file;
    const [hash, now] = [hashOfAccount(account), clock()];
    return whileUsable(() => {
      const { count } = database.get(`SELECT count(*) AS count ${OPEN}`, hash, now) as { count: number };
      const sql = `SELECT session, opened_at, expires_at ${OPEN} ORDER BY expires_at DESC LIMIT ?`;
      return { count, sessions: (database.all(sql, hash, now, most) as unknown as Row[]).map(shown) };
    });
  }

  async *accounts(): AsyncGenerator<string> {
    const { database, clock } = this.file;
    const sql = 'SELECT DISTINCT owner FROM open_sessions WHERE owner > ? AND expires_at > ? ORDER BY owner LIMIT ?';
    for (let last = ''; ;) {
      const after = last;
      const rows = await whileUsable(() => database.all(sql, after, clock(), PAGE) as { owner: string }[]);
      for (const { owner } of rows) yield (last = owner);
      if (rows.length < PAGE) return;
    }
  }
}

function shown({ session: id, opened_at: openedAt, expires_at: expiresAt }: Row): OpenSessions['sessions'][number] {
  return openSession({ id, openedAt, expiresAt });
}
