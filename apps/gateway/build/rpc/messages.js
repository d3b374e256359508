/**
 * Classifies JSON-RPC messages, and finds values that are none. The only assumption about a value is that it
 * came out of `JSON.parse`.
 */
import { FIELD_LIMITS, isJsonObject, tooLong } from '@longhaul/tasks';
export function readMessage(value) {
    if (!isJsonObject(value))
        return invalid('a message is an object');
    const { id, method, params } = value;
    const knownId = isId(id) ? id : undefined;
    if (value['jsonrpc'] !== '2.0')
        return invalid('"jsonrpc" must be "2.0"', knownId);
    if (method === undefined) {
        if (!('result' in value) && !('error' in value))
            return invalid('"method" is missing', knownId);
        const answer = { result: value['result'], error: value['error'] };
        return { kind: 'response', response: knownId === undefined ? { answer } : { id: knownId, answer } };
    }
    if (typeof method !== 'string')
        return invalid('"method" must be a string', knownId);
    if (params !== undefined && !isJsonObject(params))
        return invalid('"params" must be an object', knownId);
    if (!('id' in value))
        return { kind: 'notification', method, params };
    return knownId === undefined
        ? invalid(longId(id) ?? '"id" must be a string or an integer')
        : { kind: 'request', id: knownId, method, params };
}
function invalid(reason, id = null) {
    return { kind: 'invalid', reason: `Invalid Request: ${reason}`, id };
}
/** Whether the value can be the id of a request. */
export function isId(value) {
    return typeof value === 'string' ? longId(value) === undefined : Number.isSafeInteger(value);
}
/** What is said of an id that is longer than allowed. */
export function longId(id) {
    return typeof id === 'string' ? tooLong('"id"', id, FIELD_LIMITS.requestIdBytes) : undefined;
}
/** An error as the answer to a request. */
export function errorAnswer(id, { code, message, data }) {
    return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}
/** The id of a message that is refused, when it is a request, or could have been one, with a usable id. */
export function requestIdOf(body) {
    const message = readMessage(body);
    return message.kind === 'request' || message.kind === 'invalid' ? message.id : null;
}
//# sourceMappingURL=messages.js.map