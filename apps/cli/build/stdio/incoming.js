/** What has come from the client, as far as it has to be understood on its way to the gateway, which judges the rest. */
import { isJsonObject } from '@longhaul/tasks/json';
/** @throws SyntaxError when it is not JSON */
export function readIncoming(text) {
    const value = JSON.parse(text);
    const isBatch = Array.isArray(value);
    const requests = [];
    const notifications = [];
    for (const item of isBatch ? value : [value]) {
        const { id, method, params, ...rest } = isJsonObject(item) ? item : {};
        const isResponse = method === undefined && ('result' in rest || 'error' in rest);
        if (typeof method === 'string' && isJsonObject(item) && !('id' in item))
            notifications.push({ method, params });
        else if (!isResponse)
            requests.push({ id: isMessageId(id) ? id : null, method: typeof method === 'string' ? method : '', params });
    }
    return { text, requests, notifications, isBatch };
}
/** The id of the request that a message from the gateway answers; undefined when it is a request or a notification itself. */
export function answeredId(message) {
    if (!isJsonObject(message) || 'method' in message)
        return undefined;
    return isMessageId(message['id']) ? message['id'] : null;
}
export function isMessageId(value) {
    return typeof value === 'string' || Number.isSafeInteger(value);
}
//# sourceMappingURL=incoming.js.map