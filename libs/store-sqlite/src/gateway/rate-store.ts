import { grant, intervalUs, type Rate, type Rated, type RateStore, type Taken, type Wanted } from '@longhaul/sessions/gateway';
import { removeExpired } from '@longhaul/sqlite';
import { hashOfAccount } from '@longhaul/sessions';
import { type TaskFile, writing } from '../tasks/task-file.js';

/** Counts rates: for each name, it stores when all permits that it has taken will be back. */
export class SqliteRateStore implements RateStore {
  constructor(private readonly file: TaskFile) {}

  async take(rated: Rated, count: number, rate: Rate): Promise<number> {
    return (await this.#grant(rated, rate, { count, isPartly: false })).retryAfterMs;
  }

  takeSome(rated: Rated, count: number, rate: Rate): Promise<Taken> {
    return this.#grant(rated, rate, { count, isPartly: true });
  }

  async giveBack({ what, account }: Rated, count: number, rate: Rate): Promise<void> {
    const sql = 'UPDATE rates SET expires_at = expires_at - ? WHERE what = ? AND account = ?';
    const ms = (count * intervalUs(rate)) / 1_000;
    await writing(this.file, () => void this.file.database.run(sql, ms, what, hashOfAccount(account)));
  }

  #grant({ what, account }: Rated, rate: Rate, wanted: Wanted): Promise<Taken> {
    const of = [what, hashOfAccount(account)] as const;
    return writing(this.file, () => {
      const now = this.file.clock();
      const row = this.file.database.get('SELECT expires_at FROM rates WHERE what = ? AND account = ?', ...of) as
        { expires_at: number } | undefined;
      const { fullAtUs, ...taken } = grant(Math.round((row?.expires_at ?? 0) * 1_000), now * 1_000, rate, wanted);
      if (taken.taken === 0) return taken;
      removeExpired(this.file.database, 'rates', now);
      this.file.database.run('INSERT OR REPLACE INTO rates (what, account, expires_at) VALUES (?, ?, ?)', ...of, fullAtUs / 1_000);
      return taken;
    });
  }
}
