import type { TaskIndexPosition } from './task-index.js';

/** Sorts lists of tasks: by time, and by id among tasks of the same millisecond, as Redis has them. */
export function newestFirst(left: TaskIndexPosition, right: TaskIndexPosition): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  if (left.taskId === right.taskId) return 0;
  return left.taskId < right.taskId ? 1 : -1;
}
