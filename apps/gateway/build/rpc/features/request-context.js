/** Makes the context of a feature that runs within a request. */
import { withAnswerChecked, withClientContext } from '@longhaul/mcp-features';
import { listChangedNotification, logNotification, resourceUpdatedNotification, } from '@longhaul/sessions';
import { checkKey, clientRequestParams, elicitationCompleteParams, FIELD_LIMITS, isJsonObject, progressParams, requireCapability, } from '@longhaul/tasks';
import { within } from '@longhaul/runtime/within';
import { accountOfRequester, clientInfoOf } from '../../state/requester.js';
import { callerAuthOf } from '../caller.js';
import { isLoud } from './log-level.js';
import { withTrace } from '../with-trace.js';
import { sessionContext } from './session-context.js';
const PING_LIMIT_MS = 30_000;
const CALLS = new WeakMap();
/** The call that a context was made for: what only the gateway's own features have to know. */
export function callOf(context) {
    const call = CALLS.get(context);
    if (call === undefined)
        throw new TypeError('The context belongs to no call of this gateway.');
    return call;
}
export function createContextOf({ notifications, sessions, owners, logger }) {
    const quietly = (publishing) => {
        publishing.catch((error) => logger.warn({ err: error }, 'notification not published'));
    };
    const notifyAll = (message) => quietly(notifications.publishToAll(message));
    const notify = (id, message) => quietly(notifications.publish(id, message));
    const everyone = {
        listChanged: (list) => notifyAll(listChangedNotification(list)),
        resourceUpdated: (uri) => notifyAll(resourceUpdatedNotification(uri)),
    };
    return (call) => {
        const { scope, requester, sessionId } = call;
        const client = clientInfoOf(requester);
        const request = requestInfoOf(call);
        const send = (method, params) => call.ask({ method, params: params });
        const ask = async (method, params, key) => {
            requireCapability(client, method, params, sessionId !== undefined);
            if (key !== undefined)
                checkKey('The key of a request', key, FIELD_LIMITS.clientRequestKeyBytes);
            const asked = withTrace(clientRequestParams(method, params), call.operation.askedIn);
            return call.ask({ method, params: asked, ...(key !== undefined && { key }) });
        };
        const context = withClientContext({
            client,
            request,
            signal: scope.signal,
            session: sessions && sessionId !== undefined ? sessionContext(sessionId, accountOfRequester(requester), { ...sessions, notify }) : undefined,
            owner: owners.contextOf(call),
            auth: requester.auth && callerAuthOf(requester.auth),
            everyone,
            elicit: async (params) => (await ask('elicitation/create', params)),
            sample: async (params) => (await ask('sampling/createMessage', params)),
            listRoots: async () => (await ask('roots/list', {})).roots,
            async ask(key, { method, params = {} }) {
                const answer = async () => (await ask(method, params, key));
                return method === 'elicitation/create' ? withAnswerChecked(params, answer) : answer();
            },
            // The newer version has no ping: its client is there for as long as its request lasts.
            ping: () => (client.generation === '2026-07-28' ? Promise.resolve() : pinged(send('ping', {}))),
            progress: progressOn(scope, request.progressToken),
            log(level, data, logger) {
                const message = logNotification(level, data, logger); // Checked in any case, so that a mistake does not depend on the client.
                if (isLoud(level, requester.logLevel))
                    scope.push(message);
            },
            elicitationComplete: (elicitationId) => scope.push({ method: 'notifications/elicitation/complete', params: elicitationCompleteParams(elicitationId) }),
            closeStream: () => scope.closeStream?.(),
        });
        CALLS.set(context, call);
        return context;
    };
}
function requestInfoOf({ id, method, params = {} }) {
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
    const token = meta['progressToken'];
    const isToken = typeof token === 'string' || typeof token === 'number';
    return { id, method, params: params, meta, ...(isToken && { progressToken: token }) };
}
/** Without a token the client wants no progress; a report that is not more than the last one is not sent. */
function progressOn(scope, progressToken) {
    let lastReported = -Infinity;
    return (report) => {
        if (progressToken === undefined || !(report.progress > lastReported && Number.isFinite(report.progress)))
            return;
        lastReported = report.progress;
        scope.push({ method: 'notifications/progress', params: { progressToken, ...progressParams(report) } });
    };
}
async function pinged(answer) {
    await within(PING_LIMIT_MS, answer, () => {
        throw new Error(`The client has not answered a ping within ${PING_LIMIT_MS / 1_000} seconds.`);
    });
}
//# sourceMappingURL=request-context.js.map