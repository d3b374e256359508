/**
 * What a task takes that operators have for longer than its client stands in the index under a name of its own: as something that
 * has ended, that nobody lists, and that expires by itself.
 */
import type { TaskId } from '../domain/task-id.js';

/** What the names begin with. It is persisted. */
export const KEPT_BYTES = 'kept:';

/** The name for a task. */
export function keptBytesOf(taskId: TaskId): TaskId {
  return `${KEPT_BYTES}${taskId}` as TaskId;
}
