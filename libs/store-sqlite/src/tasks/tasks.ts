/**
 * Opens the store in a data file, for one machine: what a process writes, all others that have the file open see, and they wake each other.
 * Calls are synchronous underneath: a read or an append takes some ten microseconds of the event loop, and longer only for histories of
 * many bytes.
 */
import { countedEvents, DEFAULT_LOCK_TIMES, type LockTimes, openAtRest, TaskTally, UNLIMITED } from '@longhaul/tasks/store';
import {
  type Clock,
  DEFAULT_KEEP_TIMES,
  type EncryptionKeys,
  type KeepTimes,
  type TaskStore,
  type TaskConsumer,
  type WorkerTimes,
} from '@longhaul/tasks';
import type { Sqlite, SqliteOptions } from '@longhaul/sqlite';
import { SqliteAuditLog } from './audit-log.js';
import { SqliteCallbackStore } from './callback-store.js';
import { SqliteCapacity } from './capacity.js';
import { SqliteDataKeys } from './data-keys.js';
import { SqliteEventStore } from './event-store.js';
import { Expiry } from './expiry.js';
import { JobTable } from './job-table.js';
import { SqliteOperatorIndex } from './operator-index.js';
import { SqliteParkedTasks } from './parked-tasks.js';
import { SqliteQueuePauses } from './queue-pauses.js';
import { SqliteTaskAgenda } from './task-agenda.js';
import { SqliteTaskConsumer } from './task-consumer.js';
import { type TaskFile, whileUsable } from './task-file.js';
import { SqliteWebhookOutbox } from './webhook-outbox.js';
import { SqliteScheduleStore } from './schedule-store.js';
import { SqliteTaskCounters } from './task-counters.js';
import { SqliteTaskIndex } from './task-index.js';
import { SqliteTaskLoad } from './task-load.js';
import { SqliteTaskQueue } from './task-queue.js';
import { SqliteTenantOverrides } from './tenant-overrides.js';
import { SqliteWorkerRegistry } from './worker-registry.js';

/** How tasks are kept. */
export interface SqliteTasksOptions extends Pick<SqliteOptions, 'onError'> {
  /** Decides what is due or expired; timers run on real time. @defaultValue `Date.now` */
  readonly clock?: Clock;
  /** When a dead worker's jobs go to another one. @defaultValue 30 s and 0.5 s */
  readonly lockTimes?: LockTimes;
  /** When a worker counts as dead. @defaultValue beats every 0.5 s, dead after 4 s */
  readonly workerTimes?: WorkerTimes;
  /** Limit of the file, bytes. @defaultValue the size of the disk */
  readonly maxBytes?: number;
  /** How long the events before a task was continued as new are kept for operators, milliseconds. @defaultValue an hour */
  readonly keepContinuedMs?: number;
  /** How long operators have ended tasks. @defaultValue failed ones for 7 days */
  readonly keep?: KeepTimes;
  /** The keys that payloads are encrypted with. @defaultValue none: payloads are kept unchanged */
  readonly encryption?: EncryptionKeys | undefined;
}

/** The stores and the queue of tasks in a data file. */
export interface SqliteTasks extends TaskStore {
  /** The file, for data other than tasks. It is closed with the store. */
  readonly sqlite: Sqlite;
}

/** Makes the stores and the queue of tasks in an open data file. The file is closed with them. */
export function sqliteTasks(sqlite: Sqlite, options: SqliteTasksOptions): SqliteTasks {
  const { onError, clock = Date.now, lockTimes = DEFAULT_LOCK_TIMES, keepContinuedMs } = options;
  const file: TaskFile = { database: sqlite.database, channels: sqlite.channels, clock };
  const capacity = sqlite.isShared
    ? new SqliteCapacity({ database: file.database, maxBytes: options.maxBytes, onFull: onError })
    : UNLIMITED;
  const agenda = new SqliteTaskAgenda(file, sqlite.isShared, onError);
  const jobs = new JobTable(file);
  const expiry = new Expiry(file, onError);
  const atRest = openAtRest(new SqliteDataKeys(file), options.encryption);
  const { codec } = atRest;
  const counters = new SqliteTaskCounters(file);
  const tally = new TaskTally(counters, onError);
  const consumers = new Set<TaskConsumer>();
  // A file in memory is gone before it has much to remove.
  if (sqlite.isShared) expiry.start();
  return {
    sqlite,
    events: countedEvents(new SqliteEventStore({ ...file, capacity, keepContinuedMs, codec }), tally),
    counters,
    index: new SqliteTaskIndex(file),
    operators: new SqliteOperatorIndex(file),
    agenda,
    workers: new SqliteWorkerRegistry(file, options.workerTimes),
    parked: new SqliteParkedTasks(file),
    queue: new SqliteTaskQueue(jobs, clock),
    pauses: new SqliteQueuePauses(file, jobs),
    tenants: new SqliteTenantOverrides(file),
    capacity,
    clock,
    load: new SqliteTaskLoad(file, jobs),
    audit: new SqliteAuditLog(file),
    webhooks: new SqliteWebhookOutbox(file, codec),
    schedules: new SqliteScheduleStore(file, codec),
    callbacks: new SqliteCallbackStore(file),
    ...atRest,
    keep: options.keep ?? DEFAULT_KEEP_TIMES,
    // All processes are on the machine of the file, and have its clock.
    health: async () => ({ now: clock() }),
    consume: async (handler, consumeOptions) => {
      const consumer = new SqliteTaskConsumer({ ...consumeOptions, ...file, jobs, handler, lockTimes, onError });
      consumers.add(consumer);
      await consumer.start();
      return consumer;
    },
    ping: () =>
      whileUsable(() => {
        file.database.requireInPlace();
        file.database.get('SELECT 1 FROM tasks LIMIT 1');
        capacity.requireRoom();
      }),
    close: async () => {
      expiry.stop();
      await Promise.all([...consumers].map((consumer) => consumer.close()));
      await agenda.flush();
      await tally.flush();
      await sqlite.close();
    },
  };
}
