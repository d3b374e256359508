/** What gateways share of a row or two each: heartbeats, shown lists, rates, outcomes and the secret. */
import { createHash, randomBytes } from 'node:crypto';
import { removeExpired } from '@longhaul/sqlite';
import { type TaskFile, whileUsable, writing } from '@longhaul/tasks';
import { ALIVE_FOR_MS, type Heartbeats } from '../cluster/presence.js';
import type { ListHashes, ShownLists } from '../cluster/shown-lists.js';
import type { OutcomeStore } from '../outcome-store.js';
import type { Rate, Rated, RateStore } from '../rate-store.js';

/** Heartbeats as rows that expire. */
export class SqliteHeartbeats implements Heartbeats {
  constructor(private readonly file: TaskFile) {}

  async beat(gatewayId: string): Promise<void> {
    const now = this.file.clock();
    await writing(this.file, () => {
      removeExpired(this.file.database, 'gateways', now);
      const sql = 'INSERT OR REPLACE INTO gateways (id, process, expires_at) VALUES (?, ?, ?)';
      this.file.database.run(sql, gatewayId, process.pid, now + ALIVE_FOR_MS);
    });
  }

  async stop(gatewayId: string): Promise<void> {
    await writing(this.file, () => this.file.database.run('DELETE FROM gateways WHERE id = ?', gatewayId));
  }

  async isAlive(gatewayId: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM gateways WHERE id = ? AND expires_at > ?';
    return whileUsable(() => this.file.database.get(sql, gatewayId, this.file.clock()) !== undefined);
  }
}

/** A row for each list. */
export class SqliteShownLists implements ShownLists {
  constructor(private readonly file: TaskFile) {}

  async read(): Promise<Readonly<Partial<ListHashes>>> {
    const rows = await whileUsable(() => this.file.database.all('SELECT list, hash FROM shown_lists') as { list: string; hash: string }[]);
    return Object.fromEntries(rows.map(({ list, hash }) => [list, hash]));
  }

  async write(hashes: ListHashes): Promise<void> {
    await writing(this.file, () => {
      for (const [list, hash] of Object.entries(hashes))
        this.file.database.run('INSERT OR REPLACE INTO shown_lists (list, hash) VALUES (?, ?)', list, hash);
    });
  }
}

/** Counts: for each name, when all that it has taken will be back. */
export class SqliteRateStore implements RateStore {
  constructor(private readonly file: TaskFile) {}

  async take({ what, account }: Rated, count: number, { limit, perMs }: Rate): Promise<number> {
    const now = this.file.clock();
    const of = [what, createHash('sha256').update(account).digest('base64url').slice(0, 22)] as const;
    return writing(this.file, () => {
      const row = this.file.database.get('SELECT expires_at FROM rates WHERE what = ? AND account = ?', ...of) as
        { expires_at: number } | undefined;
      const next = Math.max(row?.expires_at ?? 0, now) + (Math.min(count, limit) * perMs) / limit;
      if (next - now > perMs) return Math.ceil(next - now - perMs);
      removeExpired(this.file.database, 'rates', now);
      this.file.database.run('INSERT OR REPLACE INTO rates (what, account, expires_at) VALUES (?, ?, ?)', ...of, next);
      return 0;
    });
  }
}

/** Outcomes, a row for each. */
export class SqliteOutcomeStore implements OutcomeStore {
  constructor(private readonly file: TaskFile) {}

  async begin(id: string, ttlMs: number): Promise<string | undefined> {
    const now = this.file.clock();
    return writing(this.file, () => {
      const known = this.file.database.get('SELECT outcome FROM outcomes WHERE id = ? AND expires_at > ?', id, now) as
        { outcome: string } | undefined;
      if (known !== undefined) return known.outcome;
      removeExpired(this.file.database, 'outcomes', now);
      this.file.database.run("INSERT OR REPLACE INTO outcomes (id, outcome, expires_at) VALUES (?, '', ?)", id, now + ttlMs);
      return undefined;
    });
  }

  async record(id: string, outcome: string): Promise<void> {
    await writing(this.file, () => this.file.database.run('UPDATE outcomes SET outcome = ? WHERE id = ?', outcome, id));
  }
}

/** The secret that all gateways on the file share. The first one draws it; it stays for ever. */
export async function fileSecret(file: TaskFile): Promise<string> {
  const drawn = randomBytes(32).toString('base64url');
  return writing(file, () => {
    file.database.run("INSERT OR IGNORE INTO secrets (name, secret) VALUES ('gateways', ?)", drawn);
    return (file.database.get("SELECT secret FROM secrets WHERE name = 'gateways'") as { secret: string } | undefined)?.secret ?? drawn;
  });
}
