import type { TaskStore } from '../ports/task-store.js';
import type { Clock } from '../ports/clock.js';
import { isForClients } from '../domain/projections/task-view.js';
import { isTaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import { isView, readableViews } from './readable-views.js';
import type { TaskIndexPosition } from '../ports/task-index.js';
import type { Caller, ListOptions, TaskPage } from './task-service.js';

/** Tasks on a page of `tasks/list`. */
const PAGE_SIZE = 50;
/**
 * A task is registered before its first event; an entry without a task is dropped only when it is older than this. The clocks of the
 * processes may differ by less.
 */
export const ORPHAN_AGE_MS = 10 * 60_000;

/** One page of the caller's tasks; one that cannot be read is left out. @throws TaskError `INVALID_CURSOR` */
export async function listTasks(store: TaskStore, clock: Clock, { owner }: Caller, options: ListOptions = {}): Promise<TaskPage> {
  const { cursor, ofCalls = false } = options;
  for (let after = cursor === undefined ? undefined : decodeCursor(cursor); ;) {
    const { views, next } = await pageOf(store, clock, owner, after);
    const tasks = views.filter((view) => isForClients(ofCalls ? { ...view, implicit: false } : view));
    if (next === undefined) return { tasks };
    if (tasks.length > 0) return { tasks, nextCursor: encodeCursor(next) };
    after = next;
  }
}

async function pageOf({ events, index }: TaskStore, clock: Clock, owner: string, after: TaskIndexPosition | undefined) {
  const { tasks, next } = await index.page(owner, PAGE_SIZE, after);
  const views = await readableViews(
    events,
    tasks.map(({ taskId }) => taskId),
    'client',
  );
  const gone = tasks.filter(({ createdAt }, at) => views[at] === undefined && createdAt < clock() - ORPHAN_AGE_MS);
  if (gone.length > 0)
    await index.forget(
      owner,
      gone.map(({ taskId }) => taskId),
    );
  return { views: views.filter(isView), next };
}

/** A position in a list as opaque text. */
export function encodeCursor({ createdAt, taskId }: TaskIndexPosition): string {
  return Buffer.from(`${createdAt}:${taskId}`).toString('base64url');
}

/** @throws TaskError `INVALID_CURSOR` */
export function decodeCursor(cursor: string): TaskIndexPosition {
  const [createdAt = '', taskId = ''] = Buffer.from(cursor, 'base64url').toString().split(':');
  if (!/^\d{1,15}$/.test(createdAt) || !isTaskId(taskId)) throw new TaskError('INVALID_CURSOR');
  return { createdAt: Number(createdAt), taskId };
}
