import type { ListHashes, ShownLists } from '@longhaul/sessions/gateway';
import { type TaskFile, whileUsable, writing } from '../tasks/task-file.js';

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
