export function createSessionNotifications(signals, channels) {
    const publish = (channel, { method, params }) => signals.publish(channel, JSON.stringify({ method, params }));
    const subscribe = (channel, listener) => signals.subscribe(channel, (text) => {
        const notification = text === undefined ? undefined : notificationIn(text);
        if (notification !== undefined)
            listener(notification);
    });
    return {
        publish: (sessionId, notification) => publish(channels.notifications(sessionId), notification),
        publishToOwner: (owner, notification) => publish(channels.notificationsOf(owner), notification),
        publishToAll: (notification) => publish(channels.notificationsForAll(), notification),
        subscribe: (sessionId, listener) => subscribe(channels.notifications(sessionId), listener),
        subscribeToOwner: (owner, listener) => subscribe(channels.notificationsOf(owner), listener),
        subscribeToAll: (listener) => subscribe(channels.notificationsForAll(), listener),
    };
}
/** What another process has published; nothing when this version does not understand it. */
function notificationIn(text) {
    const { method, params } = (jsonIn(text) ?? {});
    const isUnderstood = typeof method === 'string' && typeof params === 'object' && params !== null && !Array.isArray(params);
    return isUnderstood ? { method, params: params } : undefined;
}
function jsonIn(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
//# sourceMappingURL=session-notifications.js.map