import type { TaskView } from '../domain/projections/task-view.js';
import type { SideJob } from '../ports/task-queue.js';
import { laneOf } from './lane.js';

/** The kind of the jobs that clean up. Persisted. */
export const CLEAN_UP = 'clean-up';

/** The job that cleans up after an interrupted task. */
export function cleanUpJob({ taskId, owner }: Pick<TaskView, 'taskId' | 'owner'>): SideJob {
  return { kind: CLEAN_UP, id: `${CLEAN_UP}-${taskId}`, lane: laneOf(owner), data: { taskId } };
}
