import type { TaskId } from '../domain/task-id.js';

/** A page of tasks, newest first, and where the next page starts. */
export interface TaskIndexPage {
  readonly tasks: readonly TaskIndexPosition[];
  readonly next?: TaskIndexPosition;
}

/** A place in an owner's list: the creation time and id of the last task of a page. */
export interface TaskIndexPosition {
  readonly createdAt: number;
  readonly taskId: TaskId;
}

/**
 * Which tasks an owner has, for `tasks/list`. Registered before the first event and retired after
 * the last, so that a crash in between leaves an entry too many, never one too few.
 */
export interface TaskIndex {
  register(owner: string, taskId: TaskId, createdAt: number): Promise<void>;
  /** The task has ended and may be forgotten at `expiresAt` (epoch ms). */
  retire(owner: string, taskId: TaskId, expiresAt: number): Promise<void>;
  /** Up to `limit` ids created before `after`, newest first. Costs O(log n + limit). */
  page(owner: string, limit: number, after?: TaskIndexPosition): Promise<TaskIndexPage>;
  /** Drops entries whose task is gone. */
  forget(owner: string, taskIds: readonly TaskId[]): Promise<void>;
}
