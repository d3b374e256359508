/** Writes an append as a text, for channels. Later versions may add to its end. */
import type { RowStatus } from '../domain/projections/task-row.js';
import type { TaskId } from '../domain/task-id.js';
import type { AppendRequest, TaskChange } from './event-store.js';

const NEW = 'new';

/** Task and its version, then its status if that has changed, then `new` if it was created. */
export function changeText({ taskId, expectedVersion, events, row }: AppendRequest): string {
  const parts = [
    taskId,
    expectedVersion + events.length,
    ...(row === undefined ? [] : [row.status]),
    ...(expectedVersion === 0 && row !== undefined ? [NEW] : []),
  ];
  return parts.join(' ');
}

/** Parses the text of `changeText`; a store may have added lines. */
export function changeFrom(text: string): TaskChange {
  const [change = ''] = text.split('\n', 1);
  const [taskId, , status, isNew] = change.split(' ');
  return { taskId: taskId as TaskId, ...(status !== undefined && { status: status as RowStatus }), isNew: isNew === NEW };
}
