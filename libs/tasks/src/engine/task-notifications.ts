import type { TaskId } from '../domain/task-id.js';
import type { EventStore } from '../ports/event-store.js';
import { historyPages } from '../ports/read-history.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { UnsentNotifications, TaskNotification } from './task-service.js';

/** Runs work on the store. */
type Run = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Takes the undelivered notifications of a task; costs nothing for a task that has none.
 *
 * @param run each access in its own call, so that notifications taken so far are not lost when the next access must wait
 */
export async function takeNotifications(events: EventStore, view: TaskView, run: Run): Promise<UnsentNotifications> {
  const [progress, notifications] = await Promise.all([takeProgress(events, view, run), takeMessages(events, view, run)]);
  return { ...progress, notifications };
}

async function takeProgress(
  events: EventStore,
  { taskId, progress, progressAt, progressToken }: TaskView,
  run: Run,
): Promise<Pick<UnsentNotifications, 'progress'>> {
  if (progress === undefined || progressAt === undefined || progressToken === undefined) return {};
  return (await run(() => events.advanceMark(taskId, 'progress', progressAt))) === undefined ? {} : { progress };
}

async function takeMessages(events: EventStore, { taskId, notifiedAt }: TaskView, run: Run): Promise<readonly TaskNotification[]> {
  if (notifiedAt === undefined) return [];
  const delivered = await run(() => events.advanceMark(taskId, 'notifications', notifiedAt));
  if (delivered === undefined) return [];
  return run(() => notificationsBetween(events, taskId, delivered, notifiedAt));
}

async function notificationsBetween(events: EventStore, taskId: TaskId, from: number, to: number): Promise<readonly TaskNotification[]> {
  const notifications: TaskNotification[] = [];
  let version = from;
  // Notifications that a fork has from its origin come before its first pass; the client got them there.
  let isOwn = from > 0;
  for await (const page of historyPages(events, taskId, from)) {
    for (const event of page.slice(0, to - version)) {
      isOwn ||= event.type === 'PassStarted';
      if (isOwn && event.type === 'NotificationSent') notifications.push({ method: event.data.method, params: event.data.params });
    }
    version += page.length;
    if (version >= to) break;
  }
  return notifications;
}
