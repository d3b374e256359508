import { PLAIN } from '../ports/payload-codec.js';
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
import { DEFAULT_KEEP_TIMES } from '../ports/keep-times.js';
import { UNLIMITED } from '../ports/store-capacity.js';
/**
 * A backend in this process's memory: for tests. Everything is
 * lost with the process; within it, it behaves like the Redis backend.
 */
export function createMemoryTasks({ clock = Date.now, workerTimes, keep = DEFAULT_KEEP_TIMES, onError = () => undefined, } = {}) {
    const agenda = new MemoryTaskAgenda(clock);
    const index = new MemoryTaskIndex(clock);
    const operators = new MemoryOperatorIndex(clock);
    const events = new MemoryEventStore(clock, agenda, index, operators);
    const pauses = new MemoryQueuePauses((limit) => queue.putBack(limit));
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
//# sourceMappingURL=backend.js.map