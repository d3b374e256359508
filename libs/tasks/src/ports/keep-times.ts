import type { RowStatus } from '../domain/projections/task-row.js';

/** How long operators have ended tasks, from their end, milliseconds; each at least for as long as its client has it. */
export interface KeepTimes {
  readonly endedMs: number;
  /** For failed tasks; they are kept for `endedMs` if that is longer. */
  readonly failedMs: number;
}

/** The times unless they are configured. */
export const DEFAULT_KEEP_TIMES: KeepTimes = { endedMs: 0, failedMs: 7 * 24 * 3_600_000 };

/** How long operators have a task that ended so, milliseconds; 0 for as long as its client. */
export function keptMsOf({ endedMs, failedMs }: KeepTimes, status: RowStatus): number {
  return status === 'failed' ? Math.max(endedMs, failedMs) : endedMs;
}
