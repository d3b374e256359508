/** Changes the tasks of owners within a transaction: for the index, and for the event store together with an append. */
import {
  type Account,
  keptBytesOf,
  type LimitRefusal,
  type Registration,
  type RegistrationVerdict,
  type Retirement,
} from '@longhaul/tasks/store';
import { isAddressAccount, type OwnerUse, type TaskId } from '@longhaul/tasks';
import type { SqliteDatabase } from '@longhaul/sqlite';

const MINUTE_MS = 60_000;

/** A registration drops at most this many expired tasks, unless they take bytes that it needs. */
const DROPPED_AT_ONCE = 8;
const ALL = -1;

type OwnerRow = {
  readonly unfinished: number;
  readonly bytes: number;
  readonly minute_ends_at: number;
  readonly minute_tasks: number;
};

/** Counts the task under all of the accounts, or under no account when that exceeds a limit of one. */
export function registerTask(
  database: SqliteDatabase,
  now: number,
  { taskId, createdAt, bytes = 0 }: Registration,
  accounts: readonly Account[],
): RegistrationVerdict {
  for (const account of accounts) {
    const refusal = limitRefusal(database, now, account, taskId, bytes);
    if (refusal !== undefined) return refusal;
  }
  for (const { owner } of accounts) {
    const isListed = !isAddressAccount(owner);
    database.run(
      `INSERT INTO owned_tasks (owner, task_id, created_at, is_listed, bytes) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET created_at = excluded.created_at, is_listed = excluded.is_listed, bytes = excluded.bytes, expires_at = NULL`,
      owner,
      taskId,
      createdAt,
      Number(isListed),
      bytes,
    );
    const { minute_ends_at: endsAt, minute_tasks: tasks } = ownerOf(database, owner);
    const minute = isMinuteOf(endsAt, now) ? { tasks: tasks + 1, endsAt } : { tasks: 1, endsAt: now + MINUTE_MS };
    database.run('UPDATE owners SET minute_tasks = ?, minute_ends_at = ? WHERE owner = ?', minute.tasks, minute.endsAt, owner);
  }
  return { verdict: 'registered' };
}

/** Records that the task has ended: all of its accounts may forget it after `keptMs`. */
export function retireTask(database: SqliteDatabase, now: number, taskId: TaskId, { accounts, keptMs, storedMs }: Retirement): void {
  for (const owner of accounts) {
    if (storedMs > keptMs) keepBytes(database, owner, taskId, now + storedMs);
    // A task that is in no list is forgotten at once, except its bytes under an address.
    const mustStay = isAddressAccount(owner) ? 'bytes > 0' : 'FALSE';
    database.run(`DELETE FROM owned_tasks WHERE owner = ? AND task_id = ? AND is_listed = 0 AND NOT (${mustStay})`, owner, taskId);
    database.run('UPDATE owned_tasks SET expires_at = ? WHERE owner = ? AND task_id = ?', now + keptMs, owner, taskId);
  }
}

/** Counts the size of a task until then, even when the task ends earlier. */
function keepBytes(database: SqliteDatabase, owner: string, taskId: TaskId, until: number): void {
  database.run(
    `INSERT INTO owned_tasks (owner, task_id, created_at, is_listed, bytes, expires_at)
       SELECT owner, ?, created_at, 0, bytes, ? FROM owned_tasks WHERE owner = ? AND task_id = ? AND bytes > 0
     ON CONFLICT DO UPDATE SET bytes = excluded.bytes, expires_at = excluded.expires_at`,
    keptBytesOf(taskId),
    until,
    owner,
    taskId,
  );
  database.run('UPDATE owned_tasks SET bytes = 0 WHERE owner = ? AND task_id = ?', owner, taskId);
}

/** Drops expired tasks of the owner, the oldest first. */
export function dropExpiredOf(database: SqliteDatabase, now: number, owner: string, limit = ALL): void {
  database.run(
    `DELETE FROM owned_tasks WHERE owner = ? AND task_id IN
       (SELECT task_id FROM owned_tasks WHERE owner = ? AND expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    owner,
    owner,
    now,
    limit,
  );
}

/** The size of the histories of all tasks of the owner. */
export function bytesOf(database: SqliteDatabase, owner: string): number {
  return ownerOf(database, owner).bytes;
}

/** How much of its limits the owner uses. */
export function useOf(database: SqliteDatabase, now: number, owner: string): OwnerUse {
  dropExpiredOf(database, now, owner);
  const { unfinished, bytes, minute_ends_at: endsAt, minute_tasks: tasks } = ownerOf(database, owner);
  return { unfinishedTasks: unfinished, tasksInMinute: isMinuteOf(endsAt, now) ? tasks : 0, historyBytes: bytes };
}

function limitRefusal(database: SqliteDatabase, now: number, account: Account, taskId: TaskId, bytes: number): LimitRefusal | undefined {
  const { owner, limits } = account;
  dropExpiredOf(database, now, owner, DROPPED_AT_ONCE);
  // A task is registered again if the reply was lost, and takes no more than it already has.
  if (database.get('SELECT 1 FROM owned_tasks WHERE owner = ? AND task_id = ?', owner, taskId) !== undefined) return undefined;
  const has = ownerOf(database, owner);
  if (has.unfinished >= limits.concurrentTasks) return { verdict: 'too-many-tasks', account };
  if (has.bytes + bytes > limits.historyBytes) {
    dropExpiredOf(database, now, owner);
    if (bytesOf(database, owner) + bytes > limits.historyBytes) return { verdict: 'too-many-bytes', account };
  }
  if (!isMinuteOf(has.minute_ends_at, now) || has.minute_tasks < limits.tasksPerMinute) return undefined;
  return { verdict: 'too-many-per-minute', account, retryAfterMs: has.minute_ends_at - now };
}

/** A minute that ends later than possible was counted before the clock was set back. */
function isMinuteOf(endsAt: number, now: number): boolean {
  return endsAt > now && endsAt <= now + MINUTE_MS;
}

function ownerOf(database: SqliteDatabase, owner: string): OwnerRow {
  const found = database.get('SELECT unfinished, bytes, minute_ends_at, minute_tasks FROM owners WHERE owner = ?', owner);
  return (found as OwnerRow | undefined) ?? { unfinished: 0, bytes: 0, minute_ends_at: 0, minute_tasks: 0 };
}
