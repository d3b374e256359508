import { removeExpired } from '@longhaul/sqlite';
import { hashOfAccount } from '@longhaul/sessions';
import { writing } from '@longhaul/tasks';
import { grant, intervalUs } from '../gcra.js';
/** Counts: for each name, when all that it has taken will be back. */
export class SqliteRateStore {
    file;
    constructor(file) {
        this.file = file;
    }
    async take(rated, count, rate) {
        return (await this.#grant(rated, rate, { count, isPartly: false })).retryAfterMs;
    }
    takeSome(rated, count, rate) {
        return this.#grant(rated, rate, { count, isPartly: true });
    }
    async giveBack({ what, account }, count, rate) {
        const sql = 'UPDATE rates SET expires_at = expires_at - ? WHERE what = ? AND account = ?';
        const ms = (count * intervalUs(rate)) / 1_000;
        await writing(this.file, () => void this.file.database.run(sql, ms, what, hashOfAccount(account)));
    }
    #grant({ what, account }, rate, wanted) {
        const of = [what, hashOfAccount(account)];
        return writing(this.file, () => {
            const now = this.file.clock();
            const row = this.file.database.get('SELECT expires_at FROM rates WHERE what = ? AND account = ?', ...of);
            const { fullAtUs, ...taken } = grant(Math.round((row?.expires_at ?? 0) * 1_000), now * 1_000, rate, wanted);
            if (taken.taken === 0)
                return taken;
            removeExpired(this.file.database, 'rates', now);
            this.file.database.run('INSERT OR REPLACE INTO rates (what, account, expires_at) VALUES (?, ?, ?)', ...of, fullAtUs / 1_000);
            return taken;
        });
    }
}
//# sourceMappingURL=rate-store.js.map