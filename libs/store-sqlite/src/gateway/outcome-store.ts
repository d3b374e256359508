import type { OutcomeStore } from '@longhaul/sessions/gateway';
import { removeExpired } from '@longhaul/sqlite';
import { type TaskFile, writing } from '../tasks/task-file.js';

/** Stores results of calls, one row for each. */
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
