/**
 * Keeps what the processes of a deployment say of themselves, for operators. A report is forgotten when its process has ended, or has said
 * nothing for `REPORT_LIMITS.ttlMs`.
 */
import { TaskError, tooLong } from '@longhaul/tasks';

export const REPORT_LIMITS = {
  /** How long a report is kept, milliseconds: three times as long as a process waits before it repeats one. */
  ttlMs: 30_000,
  /** Of a report. */
  bytes: 1024 * 1024,
  processIdBytes: 256,
} as const;

/** Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface ProcessReports {
  /**
   * Replaces the report of a process.
   *
   * @throws TaskError `NOT_SERIALIZABLE` for a report that is too large, `INVALID_KEY` for such an id
   */
  put(processId: string, report: string): Promise<void>;
  /** The process has ended. */
  remove(processId: string): Promise<void>;
  /** The reports of all processes, by their ids. */
  all(): Promise<ReadonlyMap<string, string>>;
}

/** @throws TaskError as `put` */
export function checkReport(processId: string, report: string): void {
  const ofId = tooLong('The id of a process', processId, REPORT_LIMITS.processIdBytes);
  if (ofId !== undefined) throw new TaskError('INVALID_KEY', `${ofId}.`);
  const ofReport = tooLong('The report of a process', report, REPORT_LIMITS.bytes);
  if (ofReport !== undefined) throw new TaskError('NOT_SERIALIZABLE', `${ofReport}.`);
}
