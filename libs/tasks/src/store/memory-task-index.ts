import type { Clock } from '../clock.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskIndex, TaskIndexPage, TaskIndexPosition } from './task-index.js';

interface Entry extends TaskIndexPosition {
  expiresAt?: number;
}

/** `TaskIndex` in memory; it sorts at each page, which is fine for the few tasks of one process. */
export class MemoryTaskIndex implements TaskIndex {
  readonly #owners = new Map<string, Map<TaskId, Entry>>();

  constructor(private readonly clock: Clock) {}

  async register(owner: string, taskId: TaskId, createdAt: number): Promise<void> {
    const entries = this.#owners.get(owner) ?? new Map<TaskId, Entry>();
    this.#owners.set(owner, entries);
    const now = this.clock();
    for (const { taskId, expiresAt } of entries.values()) if (expiresAt !== undefined && expiresAt <= now) entries.delete(taskId);
    entries.set(taskId, { taskId, createdAt });
  }

  async retire(owner: string, taskId: TaskId, expiresAt: number): Promise<void> {
    const entry = this.#owners.get(owner)?.get(taskId);
    if (entry !== undefined) entry.expiresAt = expiresAt;
  }

  async page(owner: string, limit: number, after?: TaskIndexPosition): Promise<TaskIndexPage> {
    const following = [...(this.#owners.get(owner)?.values() ?? [])]
      .filter((entry) => after === undefined || newestFirst(after, entry) < 0)
      .sort(newestFirst);
    const tasks = following.slice(0, limit).map(({ taskId, createdAt }) => ({ taskId, createdAt }));
    const last = tasks.at(-1);
    return last !== undefined && following.length > limit ? { tasks, next: last } : { tasks };
  }

  async forget(owner: string, taskIds: readonly TaskId[]): Promise<void> {
    for (const taskId of taskIds) this.#owners.get(owner)?.delete(taskId);
  }
}

/** The order of Redis: by time, and by id among tasks of the same millisecond. */
function newestFirst(left: TaskIndexPosition, right: TaskIndexPosition): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  if (left.taskId === right.taskId) return 0;
  return left.taskId < right.taskId ? 1 : -1;
}
