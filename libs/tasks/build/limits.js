/** Events in a task's stream, without those of steps that only began; one more fails the task, as do the next three limits. */
export const MAX_EVENTS = 10_000;
/** Unanswered requests to the client at the same time. */
export const MAX_PENDING_INPUTS = 32;
/** JSON of a task's result, bytes. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;
/** JSON of a step's value, bytes. */
export const MAX_STEP_VALUE_BYTES = 8 * 1024 * 1024;
/** What the history of one task may take, bytes. */
export const DEFAULT_MAX_HISTORY_BYTES = 64 * 1024 * 1024;
/** How long the events before a task was continued as new are kept for operators, milliseconds. */
export const DEFAULT_KEEP_CONTINUED_MS = 3_600_000;
/** What the histories of all tasks of one owner may take, bytes. */
export const DEFAULT_MAX_OWNER_BYTES = 256 * 1024 * 1024;
/** How long a task waits while no worker is alive that knows its tool and whose code fits its record, milliseconds. */
export const DEFAULT_NO_WORKER_MS = 60_000;
/** Records of each chain of the audit log that are kept unless others are configured. */
export const DEFAULT_AUDIT_ENTRIES = 10_000;
/** What may be configured for that. */
export const AUDIT_ENTRIES = { least: 100, most: 1_000_000 };
/** Limits of one owner unless others are configured. */
export const DEFAULT_OWNER_LIMITS = { concurrentTasks: 1_000, tasksPerMinute: 600, historyBytes: DEFAULT_MAX_OWNER_BYTES };
/** What each account may have, where one thing is said of all, or of each. */
export function limitsBy(limits) {
    if (typeof limits === 'function')
        return limits;
    const ofAll = { ...DEFAULT_OWNER_LIMITS, ...limits };
    return () => ofAll;
}
/** What may be configured for how many unfinished tasks an owner has, and how many it creates in a minute. */
export const MAX_OWNER_TASKS = { least: 1, most: 1_000_000 };
export const MAX_CREATIONS_PER_MINUTE = { least: 1, most: 10_000_000 };
/** What may be configured for how long an ended task is kept for its client at most, milliseconds; the most is the default. */
export const MAX_TTL_MS = { least: 60_000, most: 7 * 24 * 3_600_000 };
/** What may be configured for the histories of all tasks of an owner, bytes. */
export const MAX_OWNER_BYTES = { least: 64 * 1024, most: 1024 ** 4 };
/** An address that callers without a name come from may have as many tasks, and make as many requests, as this many owners. */
export const OWNERS_PER_ADDRESS = 8;
//# sourceMappingURL=limits.js.map