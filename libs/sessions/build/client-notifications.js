/** Notifications of the protocol that are about no request. */
import { checkKey, FIELD_LIMITS, logParams } from '@longhaul/tasks';
/** @throws TaskError `NOT_SERIALIZABLE`, `INVALID_KEY` for data, or the name of a logger, that is too large or cannot be sent */
export function logNotification(level, data, logger) {
    return { method: 'notifications/message', params: logParams(level, data, logger) };
}
export function listChangedNotification(list) {
    return { method: `notifications/${list}/list_changed`, params: {} };
}
/** @throws TaskError `INVALID_KEY` when the URI is too long */
export function resourceUpdatedNotification(uri) {
    checkKey('The URI of a resource', uri, FIELD_LIMITS.uriBytes);
    return { method: 'notifications/resources/updated', params: { uri } };
}
//# sourceMappingURL=client-notifications.js.map