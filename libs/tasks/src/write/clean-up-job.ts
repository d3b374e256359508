import type { TaskId } from '../domain/task-id.js';
import type { SideJob } from '../ports/task-queue.js';

/** The kind of the jobs that clean up. Persisted. */
export const CLEAN_UP = 'clean-up';

/** The job that ends what an interrupted task has left behind. */
export function cleanUpJob(taskId: TaskId): SideJob {
  return { kind: CLEAN_UP, id: `${CLEAN_UP}-${taskId}`, data: { taskId } };
}
