/** Limits and their defaults. An entry of the package by itself, because settings are read before anything large is loaded. */
import type { LimitsOf, OwnerLimits } from './ports/task-index.js';

/** Events in a task's stream, without events that only say that a step began; one more fails the task, as do the next three limits. */
export const MAX_EVENTS = 10_000;
/** Unanswered requests to the client at the same time. */
export const MAX_PENDING_INPUTS = 32;
/** JSON of a task's result, bytes. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;
/** JSON of a step's value, bytes. */
export const MAX_STEP_VALUE_BYTES = 8 * 1024 * 1024;

/** Limit of the history of one task, bytes. */
export const DEFAULT_MAX_HISTORY_BYTES = 64 * 1024 * 1024;

/** How long the events before a task was continued as new are kept for operators, milliseconds. */
export const DEFAULT_KEEP_CONTINUED_MS = 3_600_000;

/** Limit of the histories of all tasks of one owner, bytes. */
export const DEFAULT_MAX_OWNER_BYTES = 256 * 1024 * 1024;

/** How long a task waits while no worker is alive that knows its tool and has code that fits its record, milliseconds. */
export const DEFAULT_NO_WORKER_MS = 60_000;

/** Records of each chain of the audit log that are kept unless others are configured. */
export const DEFAULT_AUDIT_ENTRIES = 10_000;

/** The range that may be configured for that. */
export const AUDIT_ENTRIES = { least: 100, most: 1_000_000 } as const;

/** Limits of the tasks that a task starts. */
export interface ChildBounds {
  /** How many of them may be unfinished at once; more wait. */
  readonly atOnce: number;
  /** How many there may be in one run of its workflow. */
  readonly perTask: number;
  /** How many levels of them there may be under the task that a client has created. */
  readonly depth: number;
  /** How long one may wait because its owner has too many tasks, milliseconds. */
  readonly startWithinMs: number;
}

/** Limits of children unless others are configured. */
export const DEFAULT_CHILD_BOUNDS: ChildBounds = { atOnce: 50, perTask: 1_000, depth: 8, startWithinMs: 900_000 };

/** Limits of one owner unless others are configured. */
export const DEFAULT_OWNER_LIMITS: OwnerLimits = { concurrentTasks: 1_000, tasksPerMinute: 600, historyBytes: DEFAULT_MAX_OWNER_BYTES };

/** The limits of each account, given once for all, or separately for each. */
export function limitsBy(limits: Partial<OwnerLimits> | LimitsOf | undefined): LimitsOf {
  if (typeof limits === 'function') return limits;
  const ofAll = { ...DEFAULT_OWNER_LIMITS, ...limits };
  return () => ofAll;
}

/** Limit of the histories of all tasks of an account, bytes: one for all accounts, or one for each. */
export type OwnerBytes = number | ((account: string) => number);

/** The range that may be configured for an owner's unfinished tasks, and for the tasks that it creates in a minute. */
export const MAX_OWNER_TASKS = { least: 1, most: 1_000_000 } as const;
export const MAX_CREATIONS_PER_MINUTE = { least: 1, most: 10_000_000 } as const;

/** The range that may be configured for how long an ended task is kept for its client at most, milliseconds; the maximum is the default. */
export const MAX_TTL_MS = { least: 60_000, most: 7 * 24 * 3_600_000 } as const;

/** The range that may be configured for the histories of all tasks of an owner, bytes. */
export const MAX_OWNER_BYTES = { least: 64 * 1024, most: 1024 ** 4 } as const;

/** An address that callers without a name come from may have as many tasks, and make as many requests, as this many owners. */
export const OWNERS_PER_ADDRESS = 8;
