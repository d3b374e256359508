import { historyPages } from '../ports/read-history.js';
/**
 * Takes the undelivered notifications of a task; costs nothing for a task that has none.
 *
 * @param run each access of its own, so that what was taken is not lost when the next access has to wait
 */
export async function takeNotifications(events, view, run) {
    const [progress, notifications] = await Promise.all([takeProgress(events, view, run), takeMessages(events, view, run)]);
    return { ...progress, notifications };
}
async function takeProgress(events, { taskId, progress, progressAt, progressToken }, run) {
    if (progress === undefined || progressAt === undefined || progressToken === undefined)
        return {};
    return (await run(() => events.advanceMark(taskId, 'progress', progressAt))) === undefined ? {} : { progress };
}
async function takeMessages(events, { taskId, notifiedAt }, run) {
    if (notifiedAt === undefined)
        return [];
    const delivered = await run(() => events.advanceMark(taskId, 'notifications', notifiedAt));
    if (delivered === undefined)
        return [];
    return run(() => notificationsBetween(events, taskId, delivered, notifiedAt));
}
async function notificationsBetween(events, taskId, from, to) {
    const notifications = [];
    let version = from;
    // What a fork has of its origin comes before its first pass; the client got it there.
    let isOwn = from > 0;
    for await (const page of historyPages(events, taskId, from)) {
        for (const event of page.slice(0, to - version)) {
            isOwn ||= event.type === 'PassStarted';
            if (isOwn && event.type === 'NotificationSent')
                notifications.push({ method: event.data.method, params: event.data.params });
        }
        version += page.length;
        if (version >= to)
            break;
    }
    return notifications;
}
//# sourceMappingURL=task-notifications.js.map