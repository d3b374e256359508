/**
 * The lock outlives an outage of the store of 20 s, in which nobody can renew it. With BullMQ one of all workers looks for lost
 * jobs in each interval, and when that one dies two intervals pass.
 */
export const DEFAULT_LOCK_TIMES = { lockDurationMs: 30_000, stalledIntervalMs: 500 };
//# sourceMappingURL=lock-times.js.map