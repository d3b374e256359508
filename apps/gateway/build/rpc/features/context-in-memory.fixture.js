/** What makes the contexts of requests, on a backend in memory, for tests. */
import { createMemoryBackend, createSessionJobs } from '@longhaul/sessions';
import { pino } from 'pino';
import { createOwners } from './owners.js';
import { createContextOf } from './request-context.js';
export function contextInMemory() {
    const backend = createMemoryBackend();
    const { sessionState: state, sessionNotifications: notifications, queue } = backend;
    const logger = pino({ level: 'silent' });
    const owners = createOwners({ backend, isOneUser: false, sessionIdleMs: 60_000, logger });
    const jobs = createSessionJobs({ state, queue, features: { sessionJob: () => undefined } });
    return createContextOf({ notifications, sessions: { state, jobs, isThere: () => Promise.resolve(true) }, owners, logger });
}
//# sourceMappingURL=context-in-memory.fixture.js.map