import { removeExpired } from '@longhaul/sqlite';
import { type TaskFile, writing } from '@longhaul/tasks';
import { hashOfAccount, type Rate, type Rated, type RateStore } from '../rate-store.js';

/** Counts: for each name, when all that it has taken will be back. */
export class SqliteRateStore implements RateStore {
  constructor(private readonly file: TaskFile) {}

  async take({ what, account }: Rated, count: number, { limit, perMs }: Rate): Promise<number> {
    const now = this.file.clock();
    const of = [what, hashOfAccount(account)] as const;
    return writing(this.file, () => {
      const row = this.file.database.get('SELECT expires_at FROM rates WHERE what = ? AND account = ?', ...of) as
        { expires_at: number } | undefined;
      // What is later than it can be was counted before the clock was set back.
      const fullAt = row !== undefined && row.expires_at <= now + perMs ? Math.max(row.expires_at, now) : now;
      const next = fullAt + (Math.min(count, limit) * perMs) / limit;
      if (next - now > perMs) return Math.ceil(next - now - perMs);
      removeExpired(this.file.database, 'rates', now);
      this.file.database.run('INSERT OR REPLACE INTO rates (what, account, expires_at) VALUES (?, ?, ?)', ...of, next);
      return 0;
    });
  }
}
