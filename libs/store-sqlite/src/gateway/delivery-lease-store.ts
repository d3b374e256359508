import { type DeliveryLeaseRequest, type DeliveryLeaseStore, DETACHED_LEASE_MS, type LeaseHolder } from '@longhaul/sessions/gateway';
import { removeExpired, type SqliteDatabase } from '@longhaul/sqlite';
import type { TaskId } from '@longhaul/tasks';
import { type TaskFile, writing } from '../tasks/task-file.js';

interface Row {
  readonly stream: string;
  readonly epoch: number;
  readonly gateway: string;
  readonly is_detached: 0 | 1;
}

/** Stores delivery leases in the data file, one row for each. */
export class SqliteDeliveryLeaseStore implements DeliveryLeaseStore {
  constructor(private readonly file: TaskFile) {}

  async take({ taskId, key, holder, leaseMs, isAskedFor, deadGatewayId }: DeliveryLeaseRequest): Promise<LeaseHolder> {
    const now = this.file.clock();
    return writing(this.file, () => {
      removeExpired(this.file.database, 'delivery_leases', now);
      const held = leaseOf(this.file.database, taskId, key, now);
      const isFree =
        held === undefined || held.stream === holder.streamId || (held.is_detached === 1 && isAskedFor) || held.gateway === deadGatewayId;
      if (!isFree) return { streamId: held.stream, epoch: held.epoch, gatewayId: held.gateway };
      this.file.database.run(
        `INSERT OR REPLACE INTO delivery_leases (task, key, stream, epoch, gateway, is_detached, expires_at)
         VALUES (?, ?, ?, ?, ?, 0, ?)`,
        taskId,
        key,
        holder.streamId,
        holder.epoch,
        holder.gatewayId,
        now + leaseMs,
      );
      return holder;
    });
  }

  async renew(taskId: TaskId, keys: readonly string[], holder: LeaseHolder, leaseMs: number): Promise<void> {
    await this.#change(taskId, keys, holder, { leaseMs, isDetached: 0 });
  }

  async detach(taskId: TaskId, keys: readonly string[], holder: LeaseHolder): Promise<void> {
    await this.#change(taskId, keys, holder, { leaseMs: DETACHED_LEASE_MS, isDetached: 1 });
  }

  async #change(
    taskId: TaskId,
    keys: readonly string[],
    { streamId, epoch }: LeaseHolder,
    { leaseMs, isDetached }: { readonly leaseMs: number; readonly isDetached: 0 | 1 },
  ): Promise<void> {
    const expiresAt = this.file.clock() + leaseMs;
    const sql = `UPDATE delivery_leases SET expires_at = ?, is_detached = ? WHERE task = ? AND key = ? AND stream = ? AND epoch = ?`;
    await writing(this.file, () => {
      for (const key of keys) this.file.database.run(sql, expiresAt, isDetached, taskId, key, streamId, epoch);
    });
  }
}

function leaseOf(database: SqliteDatabase, taskId: TaskId, key: string, now: number): Row | undefined {
  const sql = 'SELECT stream, epoch, gateway, is_detached FROM delivery_leases WHERE task = ? AND key = ? AND expires_at > ?';
  return database.get(sql, taskId, key, now) as Row | undefined;
}
