import { isLoud } from '../features/log-level.js';
export function createNotifyOfTask(tasks) {
    return async (view, { logLevel, push, signal }) => {
        const { progressToken } = view;
        const { progress, notifications } = await tasks.takeNotifications(view, signal);
        if (progress !== undefined && progressToken !== undefined)
            push({ method: 'notifications/progress', params: { progressToken, ...progress } });
        if (notifications.length === 0)
            return;
        const level = await tasks.patiently(logLevel, signal);
        for (const { method, params } of notifications)
            if (method !== 'notifications/message' || isLoud(params['level'], level))
                push({ method, params });
    };
}
//# sourceMappingURL=notify-of-task.js.map