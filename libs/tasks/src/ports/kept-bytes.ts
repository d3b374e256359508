/**
 * Names the bytes of tasks that operators have for longer than their clients. The index holds them under a separate name: as an entry that
 * has ended, that no list shows, and that expires by itself.
 */
import type { TaskId } from '../domain/task-id.js';

/** The beginning of the names. It is persisted. */
export const KEPT_BYTES = 'kept:';

/** The name for a task. */
export function keptBytesOf(taskId: TaskId): TaskId {
  return `${KEPT_BYTES}${taskId}` as TaskId;
}
