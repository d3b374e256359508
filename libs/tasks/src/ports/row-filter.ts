import type { TaskRow } from '../domain/projections/task-row.js';
import type { TaskFilter } from './operator-index.js';

/** The members of a row that a filter may name, but for its status and its time; the most selective first. */
export const NAMED = ['owner', 'reason', 'version', 'tool'] as const;

/** Whether a row fits all of a filter. */
export function fits(row: TaskRow, filter: TaskFilter): boolean {
  const { status, createdFrom = Number.NEGATIVE_INFINITY, createdBefore = Number.POSITIVE_INFINITY } = filter;
  if (status !== undefined && !status.includes(row.status)) return false;
  if (row.createdAt < createdFrom || row.createdAt >= createdBefore) return false;
  return NAMED.every((name) => filter[name] === undefined || filter[name] === row[name]);
}
