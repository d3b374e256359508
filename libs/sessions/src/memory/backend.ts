import { createMemoryTasks, type MemoryTasksOptions } from '@longhaul/tasks';
import type { Store, SessionLimits } from '../whole-store.js';
import { LOCAL_CHANNELS } from '../local-channels.js';
import { createSessionNotifications } from '../session-notifications.js';
import { createMemoryGatewayState } from './gateway/gateway-state.js';
import { MemoryOwnerRecords } from './owner-records.js';
import { MemorySessionPlaces } from './session-places.js';
import { MemorySessionState } from './session-state.js';
import { MemorySignals } from './signals.js';

const DAY_MS = 86_400_000;

/** Settings of `createMemoryBackend`. */
export interface MemoryBackendOptions extends MemoryTasksOptions, SessionLimits {}

/**
 * A backend in this process's memory: for tests. Everything is
 * lost with the process; within it, it behaves like the Redis backend.
 */
export function createMemoryBackend({ sessionTtlMs, accountSessionBytes, ...options }: MemoryBackendOptions = {}): Store {
  const { clock = Date.now } = options;
  const signals = new MemorySignals();
  const sessions = {
    ownerRecords: new MemoryOwnerRecords(clock, accountSessionBytes),
    sessionPlaces: new MemorySessionPlaces(clock, sessionTtlMs),
    sessionState: new MemorySessionState(clock, sessionTtlMs, accountSessionBytes),
    sessionNotifications: createSessionNotifications(signals, LOCAL_CHANNELS),
    signals,
  };
  const gateway = createMemoryGatewayState(sessions, { sessionIdleMs: sessionTtlMs ?? DAY_MS, clock });
  return { ...createMemoryTasks(options), ...sessions, gateway };
}
