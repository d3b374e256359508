/** Makes the contexts of requests, on a store in memory, for tests. */
import { openMemoryStore } from '@longhaul/store-sqlite';
import { createSessionJobs } from '@longhaul/sessions';
import { pino } from 'pino';
import { createOwners } from './owners.js';
import { type ContextOf, createContextOf } from './request-context.js';

export function contextInMemory(): ContextOf {
  const store = openMemoryStore();
  const { sessionState: state, sessionNotifications: notifications, queue } = store;
  const logger = pino({ level: 'silent' });
  const owners = createOwners({ store, sessionIdleMs: 60_000, logger });
  const jobs = createSessionJobs({ state, queue, features: { sessionJob: () => undefined } });
  return createContextOf({
    notifications,
    sessions: { state, jobs, isThere: () => Promise.resolve(true) },
    owners,
    tenants: { ofOwner: () => ({}) },
    logger,
  });
}
