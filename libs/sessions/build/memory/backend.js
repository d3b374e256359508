import { createMemoryTasks } from '@longhaul/tasks';
import { LOCAL_CHANNELS } from '../local-channels.js';
import { createSessionNotifications } from '../session-notifications.js';
import { MemoryOwnerRecords } from './owner-records.js';
import { MemorySessionPlaces } from './session-places.js';
import { MemorySessionState } from './session-state.js';
import { MemorySignals } from './signals.js';
/**
 * A backend in this process's memory: for tests. Everything is
 * lost with the process; within it, it behaves like the Redis backend.
 */
export function createMemoryBackend({ sessionTtlMs, accountSessionBytes, ...options } = {}) {
    const { clock = Date.now } = options;
    const signals = new MemorySignals();
    return {
        ...createMemoryTasks(options),
        ownerRecords: new MemoryOwnerRecords(clock, accountSessionBytes),
        sessionPlaces: new MemorySessionPlaces(clock, sessionTtlMs),
        sessionState: new MemorySessionState(clock, sessionTtlMs, accountSessionBytes),
        sessionNotifications: createSessionNotifications(signals, LOCAL_CHANNELS),
        signals,
    };
}
//# sourceMappingURL=backend.js.map