import { removeExpired, type SqliteDatabase } from '@longhaul/sqlite';
import type { TaskId } from '@longhaul/tasks';
import { type DeliveryLeaseRequest, type DeliveryLeaseStore, DETACHED_LEASE_MS, type LeaseHolder } from '../delivery-lease-store.js';
import type { SqliteStateDeps } from './deps.js';

interface Row {
  readonly stream: string;
  readonly epoch: number;
  readonly gateway: string;
  readonly is_detached: 0 | 1;
}

/** Delivery leases in the data file, a row for each. */
export class SqliteDeliveryLeaseStore implements DeliveryLeaseStore {
  constructor(private readonly deps: SqliteStateDeps) {}

  async take({ taskId, key, holder, leaseMs, isAskedFor, deadGatewayId }: DeliveryLeaseRequest): Promise<LeaseHolder> {
    const now = this.deps.clock();
    return this.deps.file.write((database) => {
      removeExpired(database, 'delivery_leases', now);
      const held = leaseOf(database, taskId, key, now);
      const isFree =
        held === undefined || held.stream === holder.streamId || (held.is_detached === 1 && isAskedFor) || held.gateway === deadGatewayId;
      if (!isFree) return { streamId: held.stream, epoch: held.epoch, gatewayId: held.gateway };
      database.run(
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
    const expiresAt = this.deps.clock() + leaseMs;
    const sql = `UPDATE delivery_leases SET expires_at = ?, is_detached = ? WHERE task = ? AND key = ? AND stream = ? AND epoch = ?`;
    await this.deps.file.write((database) => {
      for (const key of keys) database.run(sql, expiresAt, isDetached, taskId, key, streamId, epoch);
    });
  }
}

function leaseOf(database: SqliteDatabase, taskId: TaskId, key: string, now: number): Row | undefined {
  const sql = 'SELECT stream, epoch, gateway, is_detached FROM delivery_leases WHERE task = ? AND key = ? AND expires_at > ?';
  return database.get(sql, taskId, key, now) as Row | undefined;
}
