import type { TaskStore } from '../ports/task-store.js';
import type { Clock } from '../ports/clock.js';
import { isTaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import { isView, readableViews } from './readable-views.js';
import type { TaskIndexPosition } from '../ports/task-index.js';
import type { Caller, TaskPage } from './task-service.js';

/** Tasks on a page of `tasks/list`. */
const PAGE_SIZE = 50;
/**
 * A task is registered before its first event; an entry without a task is dropped only when it is older than this. The clocks of the
 * processes may differ by less.
 */
export const ORPHAN_AGE_MS = 10 * 60_000;

/** One page of the caller's tasks; one that cannot be read is left out. @throws TaskError `INVALID_CURSOR` */
export async function listTasks(
  { events, index }: TaskStore,
  clock: Clock,
  { owner }: Caller,
  cursor: string | undefined,
): Promise<TaskPage> {
  const page = await index.page(owner, PAGE_SIZE, cursor === undefined ? undefined : decodeCursor(cursor));
  const views = await readableViews(
    events,
    page.tasks.map(({ taskId }) => taskId),
    'client',
  );
  const gone = page.tasks.filter(({ createdAt }, at) => views[at] === undefined && createdAt < clock() - ORPHAN_AGE_MS);
  if (gone.length > 0)
    await index.forget(
      owner,
      gone.map(({ taskId }) => taskId),
    );
  const tasks = views.filter(isView).filter(({ implicit }) => implicit !== true);
  return page.next === undefined ? { tasks } : { tasks, nextCursor: encodeCursor(page.next) };
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
