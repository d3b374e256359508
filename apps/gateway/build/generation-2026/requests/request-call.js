/**
 * A request of revision 2026-07-28 as the methods know it. It has no session: everything about the client
 * comes with the request.
 */
import { isJsonObject, TaskError } from '@longhaul/tasks';
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, LOG_LEVEL_META_KEY, PROTOCOL_VERSION_META_KEY, } from '@modelcontextprotocol/server';
import { accountsOfCaller, callerWithoutSession, taskCallerOf } from '../../rpc/caller.js';
import { declaresTasks, GENERATION } from './extension.js';
/**
 * The notifications of 2025-11-25 that this revision does not have: a client learns of the event when it repeats its request, or
 * asks for its task. By hand, because what the SDK exports does not separate the revisions; a test compares the schemas.
 */
const GONE = new Set(['notifications/elicitation/complete', 'notifications/tasks/status']);
/** @param raw the HTTP request that it came with */
export function requestCall({ id, method, params }, raw, response, operation) {
    const { _meta: meta, inputResponses, requestState, task: _task, ...rest } = params;
    const { [LOG_LEVEL_META_KEY]: level } = meta;
    const requester = requesterOf(meta, raw);
    const call = {
        id,
        method,
        params: withMeta(rest, meta),
        caller: taskCallerOf(requester),
        requester,
        scope: scopeOf(response, level !== undefined),
        ask: cannotAsk,
        operation,
    };
    return { call, round: roundInput(requestState, inputResponses), knowsTasks: declaresTasks(requester.client().capabilities) };
}
function requesterOf(meta, identity) {
    const { [CLIENT_CAPABILITIES_META_KEY]: capabilities, [CLIENT_INFO_META_KEY]: info, [LOG_LEVEL_META_KEY]: logLevel } = meta;
    const { name, version } = (info ?? {});
    const client = {
        capabilities: capabilities,
        ...(name !== undefined && { name }),
        ...(version !== undefined && { version }),
    };
    const owner = callerWithoutSession(identity);
    const accounts = accountsOfCaller(identity, owner);
    return {
        owner,
        ...(accounts !== undefined && { accounts }),
        generation: GENERATION,
        protocolVersion: GENERATION,
        client: () => client,
        ...(logLevel !== undefined && { logLevel: logLevel }),
        ...(identity.auth !== undefined && { auth: identity.auth }),
        ...(identity.neededScopes !== undefined && { neededScopes: identity.neededScopes }),
    };
}
/** The params as features know them: without what is only for the way, and without what clients of the other generation ask for tasks by. */
function withMeta(params, meta) {
    const { [CLIENT_CAPABILITIES_META_KEY]: _capabilities, [CLIENT_INFO_META_KEY]: _info, [LOG_LEVEL_META_KEY]: _level, [PROTOCOL_VERSION_META_KEY]: _version, ...rest } = meta;
    return Object.keys(rest).length === 0 ? params : { ...params, _meta: rest };
}
const NOTHING_REPEATED = { requestState: undefined, inputResponses: {}, isAnswered: false, unreadable: [] };
function roundInput(requestState, given) {
    if (given === undefined && requestState === undefined)
        return NOTHING_REPEATED;
    const isAnswered = isJsonObject(given);
    const entries = isAnswered ? Object.entries(given) : [];
    return {
        requestState,
        inputResponses: Object.fromEntries(entries.filter(([, answer]) => isAnswer(answer))),
        isAnswered,
        unreadable: entries.filter(([, answer]) => !isAnswer(answer)).map(([key]) => key),
    };
}
/** An answer is the result itself; some clients send it with its method around it, which is none. */
function isAnswer(value) {
    return isJsonObject(value) && !('method' in value) && !('result' in value);
}
/** Only what is run in rounds can ask. */
const cannotAsk = ({ method }) => Promise.reject(new TaskError('CLIENT_LACKS_CAPABILITY', `Revision 2026-07-28 has no place for a request "${method}" here.`));
function scopeOf(response, wantsLogs) {
    return {
        get signal() {
            return response.signal;
        },
        get isCancelled() {
            return response.isCancelled;
        },
        get leaving() {
            return response.leaving;
        },
        push({ method, params }) {
            if (!GONE.has(method) && (wantsLogs || method !== 'notifications/message'))
                response.push({ method, params });
        },
    };
}
//# sourceMappingURL=request-call.js.map