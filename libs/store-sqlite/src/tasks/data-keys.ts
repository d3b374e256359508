import { dataKeyFrom, dataKeyText } from '@longhaul/tasks/store';
import type { DataKeyRecord, DataKeyStore } from '@longhaul/tasks';
import { type TaskFile, whileUsable, writing } from './task-file.js';

const PAGE = 200;

/** `DataKeyStore` in a data file. */
export class SqliteDataKeys implements DataKeyStore {
  constructor(private readonly file: TaskFile) {}

  find(id: string): Promise<DataKeyRecord | undefined> {
    return whileUsable(() => this.#find(id));
  }

  ofScope(scope: string): Promise<readonly DataKeyRecord[]> {
    return whileUsable(() => this.#ofScope(scope));
  }

  add(record: DataKeyRecord): Promise<readonly DataKeyRecord[]> {
    return writing(this.file, () => {
      const kept = this.#ofScope(record.scope);
      return kept.length > 0 ? kept : this.#putBack(record);
    });
  }

  async putBack(record: DataKeyRecord): Promise<readonly DataKeyRecord[]> {
    // The key is nearly always there, and then the file need not be locked.
    const isKept = (await this.find(record.id)) !== undefined;
    return isKept ? this.ofScope(record.scope) : writing(this.file, () => this.#putBack(record));
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

  #ofScope(scope: string): readonly DataKeyRecord[] {
    const rows = this.file.database.all('SELECT record FROM data_keys WHERE scope = ? ORDER BY number', scope) as { record: string }[];
    return rows.map(({ record }) => dataKeyFrom(record));
  }

  #putBack({ id, scope, ...record }: DataKeyRecord): readonly DataKeyRecord[] {
    const sql = `INSERT OR IGNORE INTO data_keys (id, record, scope, number)
      SELECT ?, ?, ?, coalesce(max(number) + 1, 0) FROM data_keys WHERE scope = ?`;
    this.file.database.run(sql, id, dataKeyText({ id, scope, ...record }), scope, scope);
    return this.#ofScope(scope);
  }

  #find(id: string): DataKeyRecord | undefined {
    const row = this.file.database.get('SELECT record FROM data_keys WHERE id = ?', id) as { record: string } | undefined;
    return row && dataKeyFrom(row.record);
  }
}
