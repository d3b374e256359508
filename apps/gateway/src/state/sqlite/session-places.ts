import { type TaskFile, writing } from '@longhaul/tasks';
import { hashOfAccount } from '../rate-store.js';
import type { SessionPlaces } from '../session-places.js';

/** Places in the data file, a row for each session. */
export class SqliteSessionPlaces implements SessionPlaces {
  constructor(
    private readonly file: TaskFile,
    private readonly idleMs: number,
  ) {}

  take(account: string, sessionId: string, limit: number): Promise<boolean> {
    const { database, clock } = this.file;
    const hash = hashOfAccount(account);
    return writing(this.file, () => {
      const now = clock();
      database.run('DELETE FROM session_places WHERE account = ? AND expires_at <= ?', hash, now);
      const { taken } = database.get('SELECT count(*) AS taken FROM session_places WHERE account = ?', hash) as { taken: number };
      if (taken >= limit) return false;
      const sql = 'INSERT OR REPLACE INTO session_places (session, account, expires_at) VALUES (?, ?, ?)';
      database.run(sql, sessionId, hash, now + this.idleMs);
      return true;
    });
  }

  async keep(sessionId: string, ms: number): Promise<void> {
    const { database, clock } = this.file;
    await writing(this.file, () => database.run('UPDATE session_places SET expires_at = ? WHERE session = ?', clock() + ms, sessionId));
  }

  async release(sessionId: string): Promise<void> {
    const { database } = this.file;
    await writing(this.file, () => database.run('DELETE FROM session_places WHERE session = ?', sessionId));
  }
}
