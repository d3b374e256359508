import type { TaskBackend } from '../ports/backend.js';
import type { Clock } from '../ports/clock.js';
import { PLAIN } from '../at-rest/codec.js';
import { MemoryAuditLog } from './audit-log.js';
import { MemoryDataKeys } from './data-keys.js';
import { createMemoryTaskLoad } from './task-load.js';
import { MemoryTaskQueue } from './task-queue.js';
import { MemoryEventStore } from './event-store.js';
import { MemoryOperatorIndex } from './operator-index.js';
import { MemoryParkedTasks } from './parked-tasks.js';
import { MemoryQueuePauses } from './queue-pauses.js';
import { MemoryTaskAgenda } from './task-agenda.js';
import { MemoryTaskIndex } from './task-index.js';
import { MemoryTenantOverrides } from './tenant-overrides.js';
import { MemoryWorkerRegistry } from './worker-registry.js';
import { DEFAULT_KEEP_TIMES, type KeepTimes } from '../ports/keep-times.js';
import { UNLIMITED } from '../ports/store-capacity.js';
import type { WorkerTimes } from '../ports/worker-registry.js';

/** Settings of `createMemoryTasks`. */
export interface MemoryTasksOptions {
  /** Decides what is due or expired; timers run on real time. @defaultValue `Date.now` */
  readonly clock?: Clock;
  /** When a worker counts as dead. */
  readonly workerTimes?: WorkerTimes;
  /** How long operators have ended tasks. @defaultValue failed ones for 7 days */
  readonly keep?: KeepTimes;
  /** Called with errors that are reported nowhere else, such as a handler that rejects. @defaultValue ignores them */
  readonly onError?: (error: unknown) => void;
}

/**
 * A backend in this process's memory: for tests. Everything is
 * lost with the process; within it, it behaves like the Redis backend.
 */
export function createMemoryTasks({
  clock = Date.now,
  workerTimes,
  keep = DEFAULT_KEEP_TIMES,
  onError = () => undefined,
}: MemoryTasksOptions = {}): TaskBackend {
  const agenda = new MemoryTaskAgenda(clock);
  const index = new MemoryTaskIndex(clock);
  const operators = new MemoryOperatorIndex(clock);
  const events = new MemoryEventStore(clock, agenda, index, operators);
  const pauses: MemoryQueuePauses = new MemoryQueuePauses((limit) => queue.putBack(limit));
  const queue = new MemoryTaskQueue(clock, onError, (name) => pauses.has(name));
  return {
    events,
    index,
    operators,
    agenda,
    workers: new MemoryWorkerRegistry(clock, workerTimes),
    parked: new MemoryParkedTasks(clock),
    queue,
    pauses,
    tenants: new MemoryTenantOverrides(),
    capacity: UNLIMITED,
    load: createMemoryTaskLoad(queue, agenda),
    audit: new MemoryAuditLog(),
    codec: PLAIN,
    dataKeys: new MemoryDataKeys(),
    keep,
    consume: (handler, consumeOptions) => queue.consume(handler, consumeOptions),
    ping: async () => undefined,
    close: async () => {
      await queue.close();
      await events.close();
    },
  };
}
