import type { CallbackStore, Milliseconds } from '@longhaul/tasks';
import { removeExpired } from '@longhaul/sqlite';
import { type TaskFile, whileUsable, writing } from './task-file.js';

/** `CallbackStore` in a data file, one row for each address. */
export class SqliteCallbackStore implements CallbackStore {
  constructor(private readonly file: TaskFile) {}

  async put(digest: string, text: string, keptMs: Milliseconds): Promise<void> {
    const { database, clock } = this.file;
    await writing(this.file, () => {
      const now = clock();
      removeExpired(database, 'callbacks', now);
      database.run('INSERT OR REPLACE INTO callbacks (digest, callback, expires_at) VALUES (?, ?, ?)', digest, text, now + keptMs);
    });
  }

  async get(digest: string): Promise<string | undefined> {
    const { database, clock } = this.file;
    return whileUsable(() => {
      const row = database.get('SELECT callback FROM callbacks WHERE digest = ? AND expires_at > ?', digest, clock());
      return (row as { callback: string } | undefined)?.callback;
    });
  }
}
