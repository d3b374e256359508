import { ALIVE_FOR_MS, type Heartbeats } from '@longhaul/sessions/gateway';
import { removeExpired } from '@longhaul/sqlite';
import { type TaskFile, whileUsable, writing } from '../tasks/task-file.js';

/** Stores heartbeats as rows that expire. */
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
