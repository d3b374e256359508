import { removeExpired } from '@longhaul/sqlite';
import { writing } from '@longhaul/tasks';
import { DETACHED_LEASE_MS } from '../delivery-lease-store.js';
/** Delivery leases in the data file, a row for each. */
export class SqliteDeliveryLeaseStore {
    file;
    constructor(file) {
        this.file = file;
    }
    async take({ taskId, key, holder, leaseMs, isAskedFor, deadGatewayId }) {
        const now = this.file.clock();
        return writing(this.file, () => {
            removeExpired(this.file.database, 'delivery_leases', now);
            const held = leaseOf(this.file.database, taskId, key, now);
            const isFree = held === undefined || held.stream === holder.streamId || (held.is_detached === 1 && isAskedFor) || held.gateway === deadGatewayId;
            if (!isFree)
                return { streamId: held.stream, epoch: held.epoch, gatewayId: held.gateway };
            this.file.database.run(`INSERT OR REPLACE INTO delivery_leases (task, key, stream, epoch, gateway, is_detached, expires_at)
         VALUES (?, ?, ?, ?, ?, 0, ?)`, taskId, key, holder.streamId, holder.epoch, holder.gatewayId, now + leaseMs);
            return holder;
        });
    }
    async renew(taskId, keys, holder, leaseMs) {
        await this.#change(taskId, keys, holder, { leaseMs, isDetached: 0 });
    }
    async detach(taskId, keys, holder) {
        await this.#change(taskId, keys, holder, { leaseMs: DETACHED_LEASE_MS, isDetached: 1 });
    }
    async #change(taskId, keys, { streamId, epoch }, { leaseMs, isDetached }) {
        const expiresAt = this.file.clock() + leaseMs;
        const sql = `UPDATE delivery_leases SET expires_at = ?, is_detached = ? WHERE task = ? AND key = ? AND stream = ? AND epoch = ?`;
        await writing(this.file, () => {
            for (const key of keys)
                this.file.database.run(sql, expiresAt, isDetached, taskId, key, streamId, epoch);
        });
    }
}
function leaseOf(database, taskId, key, now) {
    const sql = 'SELECT stream, epoch, gateway, is_detached FROM delivery_leases WHERE task = ? AND key = ? AND expires_at > ?';
    return database.get(sql, taskId, key, now);
}
//# sourceMappingURL=delivery-lease-store.js.map