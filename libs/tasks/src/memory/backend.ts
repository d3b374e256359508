import type { TaskBackend } from '../ports/backend.js';
import type { Clock } from '../ports/clock.js';
import { MemoryAuditLog } from './audit-log.js';
import { createMemoryTaskLoad } from './task-load.js';
import { MemoryTaskQueue } from './task-queue.js';
import { MemoryEventStore } from './event-store.js';
import { MemoryParkedTasks } from './parked-tasks.js';
import { MemoryTaskAgenda } from './task-agenda.js';
import { MemoryTaskIndex } from './task-index.js';
import { MemoryWorkerRegistry } from './worker-registry.js';
import { UNLIMITED } from '../ports/store-capacity.js';
import type { WorkerTimes } from '../ports/worker-registry.js';

/** Settings of `createMemoryTasks`. */
export interface MemoryTasksOptions {
  /** Decides what is due or expired; timers run on real time. @defaultValue `Date.now` */
  readonly clock?: Clock;
  /** When a worker counts as dead. */
  readonly workerTimes?: WorkerTimes;
  /** Called with errors that are reported nowhere else, such as a handler that rejects. @defaultValue ignores them */
  readonly onError?: (error: unknown) => void;
}

/**
 * A backend in this process's memory: for tests. Everything is
 * lost with the process; within it, it behaves like the Redis backend.
 */
export function createMemoryTasks({ clock = Date.now, workerTimes, onError = () => undefined }: MemoryTasksOptions = {}): TaskBackend {
  const agenda = new MemoryTaskAgenda(clock);
  const index = new MemoryTaskIndex(clock);
  const events = new MemoryEventStore(clock, agenda, index);
  const queue = new MemoryTaskQueue(clock, onError);
  return {
    events,
    index,
    agenda,
    workers: new MemoryWorkerRegistry(clock, workerTimes),
    parked: new MemoryParkedTasks(clock),
    queue,
    capacity: UNLIMITED,
    load: createMemoryTaskLoad(queue, agenda),
    audit: new MemoryAuditLog(),
    consume: (handler, consumeOptions) => queue.consume(handler, consumeOptions),
    ping: async () => undefined,
    close: async () => {
      await queue.close();
      await events.close();
    },
  };
}
