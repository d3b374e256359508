import { checkReport, type ProcessReports, REPORT_LIMITS } from '@longhaul/sessions/store';
import { removeExpired } from '@longhaul/sqlite';
import { type TaskFile, whileUsable, writing } from '../tasks/task-file.js';

/** `ProcessReports` as rows that expire. */
export class SqliteProcessReports implements ProcessReports {
  constructor(private readonly file: TaskFile) {}

  async put(processId: string, report: string): Promise<void> {
    checkReport(processId, report);
    const now = this.file.clock();
    await writing(this.file, () => {
      removeExpired(this.file.database, 'process_reports', now);
      const sql = 'INSERT OR REPLACE INTO process_reports (process, report, expires_at) VALUES (?, ?, ?)';
      this.file.database.run(sql, processId, report, now + REPORT_LIMITS.ttlMs);
    });
  }

  async remove(processId: string): Promise<void> {
    await writing(this.file, () => this.file.database.run('DELETE FROM process_reports WHERE process = ?', processId));
  }

  async all(): Promise<ReadonlyMap<string, string>> {
    const sql = 'SELECT process, report FROM process_reports WHERE expires_at > ?';
    const rows = await whileUsable(() => this.file.database.all(sql, this.file.clock()) as { process: string; report: string }[]);
    return new Map(rows.map(({ process, report }) => [process, report]));
  }
}
