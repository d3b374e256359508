import { removeExpired } from '@longhaul/sqlite';
import { whileUsable, writing } from '@longhaul/tasks';
import { ALIVE_FOR_MS } from '../cluster/presence.js';
/** Heartbeats as rows that expire. */
export class SqliteHeartbeats {
    file;
    constructor(file) {
        this.file = file;
    }
    async beat(gatewayId) {
        const now = this.file.clock();
        await writing(this.file, () => {
            removeExpired(this.file.database, 'gateways', now);
            const sql = 'INSERT OR REPLACE INTO gateways (id, process, expires_at) VALUES (?, ?, ?)';
            this.file.database.run(sql, gatewayId, process.pid, now + ALIVE_FOR_MS);
        });
    }
    async stop(gatewayId) {
        await writing(this.file, () => this.file.database.run('DELETE FROM gateways WHERE id = ?', gatewayId));
    }
    async isAlive(gatewayId) {
        const sql = 'SELECT 1 FROM gateways WHERE id = ? AND expires_at > ?';
        return whileUsable(() => this.file.database.get(sql, gatewayId, this.file.clock()) !== undefined);
    }
}
//# sourceMappingURL=heartbeats.js.map