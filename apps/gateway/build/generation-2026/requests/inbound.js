import { FIELD_LIMITS, isJsonObject, remembered } from '@longhaul/tasks';
import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import { classifyInboundRequest, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, LOG_LEVEL_META_KEY, PROTOCOL_VERSION_META_KEY, RELATED_TASK_META_KEY, UnsupportedProtocolVersionError, } from '@modelcontextprotocol/server';
import { Refusal } from '../../rpc/errors.js';
import { GENERATION } from './extension.js';
import { headerValue } from './header-values.js';
import { refusalOfEnvelope } from './message-limits.js';
/** @returns nothing for what belongs to the other protocol versions */
export function inboundOf(headers, body) {
    if (isPlainRequest(headers, body))
        return { kind: 'request', request: body };
    // Sessions are of the other generation; the id of one on a request that names this revision means nothing.
    if (headers['mcp-session-id'] !== undefined && headers['mcp-protocol-version'] !== GENERATION && !namesRevision(body))
        return undefined;
    const refusal = refusalOfEnvelope(body);
    if (refusal !== undefined)
        return { kind: 'refused', refusal };
    const outcome = classifyInboundRequest({ httpMethod: 'POST', body, ...standardHeaders(headers) });
    if (outcome.kind === 'legacy')
        return undefined;
    if (outcome.kind === 'reject') {
        // `initialize` belongs to the other generation, for any protocol version that it names: that generation offers its own version.
        if (isJsonObject(body) && body['method'] === 'initialize')
            return undefined;
        const { httpStatus, code, message, data } = outcome;
        return { kind: 'refused', refusal: new Refusal(httpStatus, code, message, {}, data) };
    }
    const { revision } = outcome.classification;
    if (revision !== GENERATION)
        return { kind: 'refused', refusal: unsupported(revision) };
    return outcome.messageKind === 'request' ? { kind: 'request', request: outcome.message } : { kind: 'notification' };
}
const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);
const LEVELS = new Set(LoggingLevelSchema.options);
/** Whether it is a request with which nothing is wrong, so far as the SDK's classifier looks at it. */
function isPlainRequest(headers, body) {
    if (headers['mcp-protocol-version'] !== GENERATION || !isJsonObject(body))
        return false;
    const { jsonrpc, id, method, params } = body;
    return (jsonrpc === '2.0' &&
        (typeof id === 'string' || Number.isSafeInteger(id)) &&
        method !== 'initialize' &&
        typeof method === 'string' &&
        headers['mcp-method'] === method &&
        Object.keys(body).every((member) => MEMBERS.has(member)) &&
        isJsonObject(params) &&
        isPlainEnvelope(params['_meta']));
}
function isPlainEnvelope(meta) {
    if (!isJsonObject(meta) || RELATED_TASK_META_KEY in meta || meta[PROTOCOL_VERSION_META_KEY] !== GENERATION)
        return false;
    const { progressToken, [LOG_LEVEL_META_KEY]: level } = meta;
    return ((progressToken === undefined || typeof progressToken === 'string' || Number.isSafeInteger(progressToken)) &&
        (level === undefined || LEVELS.has(level)) &&
        isKnownClient(meta[CLIENT_CAPABILITIES_META_KEY], meta[CLIENT_INFO_META_KEY]));
}
const REMEMBERED_CLIENTS = 500;
/** A client with more to say is looked at each time. */
const MAX_REMEMBERED = FIELD_LIMITS.clientBytes / 16;
/** Each client says the same of itself with every request: the SDK's schemas are asked about it once. */
function isKnownClient(capabilities, info) {
    if (!isJsonObject(capabilities) || info === null)
        return false;
    const client = JSON.stringify([capabilities, info]);
    return client.length <= MAX_REMEMBERED && isValidClient(client);
}
const isValidClient = remembered(REMEMBERED_CLIENTS, (client) => {
    const [capabilities, info] = JSON.parse(client);
    const _meta = {
        [PROTOCOL_VERSION_META_KEY]: GENERATION,
        [CLIENT_CAPABILITIES_META_KEY]: capabilities,
        ...(info !== null && { [CLIENT_INFO_META_KEY]: info }),
    };
    const body = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } };
    return classifyInboundRequest({ httpMethod: 'POST', body }).kind === 'modern';
});
function unsupported(requested = 'unknown') {
    const { code, message, data } = new UnsupportedProtocolVersionError({ supported: [GENERATION], requested });
    return new Refusal(400, code, message, {}, data);
}
/** Whether the metadata of a message names a revision, as only messages of the newer generation do. */
function namesRevision(body) {
    const { params } = (body ?? {});
    return params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}
function standardHeaders(headers) {
    const [version, method] = [headerValue(headers, 'mcp-protocol-version'), headerValue(headers, 'mcp-method')];
    return {
        ...(version !== undefined && { protocolVersionHeader: version }),
        ...(method !== undefined && { mcpMethodHeader: method }),
    };
}
//# sourceMappingURL=inbound.js.map