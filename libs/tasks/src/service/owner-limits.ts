/** A module of its own, and an entry of the package: settings are read before anything large is loaded. */
import { DEFAULT_MAX_OWNER_BYTES } from './history-limits.js';
import type { OwnerLimits } from '../store/task-index.js';

/** Limits of one owner unless others are configured. */
export const DEFAULT_OWNER_LIMITS: OwnerLimits = { concurrentTasks: 1_000, tasksPerMinute: 600, historyBytes: DEFAULT_MAX_OWNER_BYTES };

/** What may be configured for the histories of all tasks of an owner, bytes. */
export const MAX_OWNER_BYTES = { least: 64 * 1024, most: 1024 ** 4 } as const;
