import type { EventStore } from '../store/event-store.js';
import { historyPages } from '../store/read-history.js';
import type { TaskView } from '../projections/task-view.js';
import type { TaskNews, TaskNotification } from './task-service.js';

/** Takes the undelivered news of a task; costs nothing for a task that has none. */
export async function takeNews(events: EventStore, view: TaskView): Promise<TaskNews> {
  const [progress, notifications] = await Promise.all([takeProgress(events, view), takeNotifications(events, view)]);
  return { ...progress, notifications };
}

async function takeProgress(
  events: EventStore,
  { taskId, progress, progressAt, progressToken }: TaskView,
): Promise<Pick<TaskNews, 'progress'>> {
  if (progress === undefined || progressAt === undefined || progressToken === undefined) return {};
  return (await events.advanceMark(taskId, 'progress', progressAt)) === undefined ? {} : { progress };
}

async function takeNotifications(events: EventStore, { taskId, notifiedAt }: TaskView): Promise<readonly TaskNotification[]> {
  if (notifiedAt === undefined) return [];
  const delivered = await events.advanceMark(taskId, 'notifications', notifiedAt);
  if (delivered === undefined) return [];
  const notifications: TaskNotification[] = [];
  let version = delivered;
  for await (const page of historyPages(events, taskId, delivered)) {
    for (const event of page.slice(0, notifiedAt - version))
      if (event.type === 'NotificationSent') notifications.push({ method: event.data.method, params: event.data.params });
    version += page.length;
    if (version >= notifiedAt) break;
  }
  return notifications;
}
