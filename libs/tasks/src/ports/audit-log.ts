import type { JsonObject } from '../domain/json.js';

/** What an operator has done, or tried. */
export interface AuditEntry {
  /** Epoch milliseconds, by the clock of the process that did it. */
  readonly at: number;
  /** Name of the operator. */
  readonly who: string;
  /** Such as `task.cancel`. */
  readonly action: string;
  /** What it was done to: the id of a task, of a bulk operation, … */
  readonly target: string;
  readonly reason: string;
  /** `done`, or the code of the error. */
  readonly outcome: string;
  /** What belongs to the action, such as a filter. */
  readonly details?: JsonObject;
}

/** An entry as it is kept. Later ones have higher numbers. */
export interface KeptAuditEntry extends AuditEntry {
  readonly number: number;
}

/** Some entries, newest first. */
export interface AuditPage {
  readonly entries: readonly KeptAuditEntry[];
  /** Absent at the end. */
  readonly next?: number;
}

/** So many entries are kept unless somebody says otherwise. */
export const DEFAULT_AUDIT_ENTRIES = 10_000;

/** What operators did. Entries are never changed; both methods reject with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface AuditLog {
  /** Adds an entry, and drops the oldest ones beyond `keep`. @returns its number */
  append(entry: AuditEntry, keep: number): Promise<number>;
  /** Up to `limit` entries whose number is lower than `before`, newest first. */
  page(limit: number, before?: number): Promise<AuditPage>;
}

/** The page of entries of which one more was read than asked for. */
export function auditPageOf(read: readonly KeptAuditEntry[], limit: number): AuditPage {
  const entries = read.slice(0, limit);
  const last = entries.at(-1);
  return last !== undefined && read.length > limit ? { entries, next: last.number } : { entries };
}
