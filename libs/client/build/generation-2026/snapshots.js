import { TaskStatusNotificationV2Schema } from '@modelcontextprotocol/ext-tasks/core/v2';
/** The view of the extension's package in the words that both protocol versions share. */
export function snapshotOfView(view) {
    const { taskId, status, statusMessage, createdAt = '', lastUpdatedAt = '', retentionMs, suggestedPollIntervalMs, raw } = view;
    return {
        taskId,
        status,
        createdAt,
        lastUpdatedAt,
        ttlMs: retentionMs,
        ...(statusMessage !== undefined && { statusMessage }),
        ...(suggestedPollIntervalMs !== undefined && { pollIntervalMs: suggestedPollIntervalMs }),
        ...contentOf(raw),
    };
}
/** The task in a `notifications/tasks`, if it is one. */
export function snapshotOfNotification(notification) {
    const parsed = TaskStatusNotificationV2Schema.safeParse(notification);
    if (!parsed.success)
        return undefined;
    const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, ...content } = parsed.data.params;
    return {
        taskId,
        status,
        createdAt,
        lastUpdatedAt,
        ttlMs,
        ...(statusMessage !== undefined && { statusMessage }),
        ...(pollIntervalMs !== undefined && { pollIntervalMs }),
        ...contentOf(content),
    };
}
/** What the schemas of the extension have checked. */
function contentOf({ inputRequests, result, error, }) {
    return {
        ...(inputRequests !== undefined && { inputRequests: inputRequests }),
        ...(result !== undefined && { result }),
        ...(error !== undefined && { error: error }),
    };
}
//# sourceMappingURL=snapshots.js.map