import { type DataKeyRecord, type DataKeyStore, dataKeyFrom, dataKeyText } from '../ports/data-keys.js';
import { type TaskFile, whileUsable, writing } from './task-file.js';

const PAGE = 200;

/** `DataKeyStore` in a data file. */
export class SqliteDataKeys implements DataKeyStore {
  constructor(private readonly file: TaskFile) {}

  find(id: string): Promise<DataKeyRecord | undefined> {
    return whileUsable(() => this.#find(id));
  }

  add(record: DataKeyRecord): Promise<DataKeyRecord> {
    return writing(this.file, () => {
      this.file.database.run('INSERT OR IGNORE INTO data_keys (id, record) VALUES (?, ?)', record.id, dataKeyText(record));
      return this.#find(record.id) ?? record;
    });
  }

  replace(was: DataKeyRecord, record: DataKeyRecord): Promise<boolean> {
    const sql = 'UPDATE data_keys SET record = ? WHERE id = ? AND record = ?';
    return writing(this.file, () => this.file.database.run(sql, dataKeyText(record), was.id, dataKeyText(was)) === 1);
  }

  async *all(): AsyncIterable<readonly DataKeyRecord[]> {
    const sql = 'SELECT id, record FROM data_keys WHERE id > ? ORDER BY id LIMIT ?';
    for (let after = ''; ;) {
      const rows = await whileUsable(() => this.file.database.all(sql, after, PAGE) as { id: string; record: string }[]);
      if (rows.length > 0) yield rows.map(({ record }) => dataKeyFrom(record));
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.id ?? '';
    }
  }

  #find(id: string): DataKeyRecord | undefined {
    const row = this.file.database.get('SELECT record FROM data_keys WHERE id = ?', id) as { record: string } | undefined;
    return row && dataKeyFrom(row.record);
  }
}
