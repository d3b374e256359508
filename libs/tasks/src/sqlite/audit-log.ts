import { type AuditEntry, type AuditLog, type AuditPage, auditPageOf } from '../ports/audit-log.js';
import { type TaskFile, whileUsable, writing } from './task-file.js';

/** `AuditLog` in a data file. */
export class SqliteAuditLog implements AuditLog {
  constructor(private readonly file: TaskFile) {}

  append(entry: AuditEntry, keep: number): Promise<number> {
    const { database } = this.file;
    return writing(this.file, () => {
      const row = database.get('INSERT INTO audit (entry) VALUES (?) RETURNING number', JSON.stringify(entry)) as { number: number };
      database.run('DELETE FROM audit WHERE number <= ?', row.number - keep);
      return row.number;
    });
  }

  async page(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<AuditPage> {
    const sql = 'SELECT number, entry FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?';
    const rows = await whileUsable(() => this.file.database.all(sql, before, limit + 1) as { number: number; entry: string }[]);
    return auditPageOf(
      rows.map(({ number, entry }) => ({ ...(JSON.parse(entry) as AuditEntry), number })),
      limit,
    );
  }
}
