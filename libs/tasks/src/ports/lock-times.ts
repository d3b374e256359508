/** How soon a job goes to another worker when its lock is not renewed; a dead worker is mostly noticed earlier. */
export interface LockTimes {
  /** A worker that does not renew its lock for this long has lost the job. */
  readonly lockDurationMs: number;
  /** How often workers look for lost jobs. */
  readonly stalledIntervalMs: number;
}

/**
 * The lock outlives an outage of the store of 20 s, in which no worker can renew it. With BullMQ one of all workers looks for lost jobs in
 * each interval, and when that one dies two intervals pass.
 */
export const DEFAULT_LOCK_TIMES: LockTimes = { lockDurationMs: 30_000, stalledIntervalMs: 500 };
