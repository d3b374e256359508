import { failureOf, Refusal, refusalOf, RpcCode, SESSION_SHUT_DOWN, SHUTTING_DOWN } from '../rpc/errors.js';
import { held } from '../rpc/held-request.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import {} from '../rpc/operation.js';
import { errorAnswer, readMessage } from '../rpc/messages.js';
import { answerEarly } from './requests/answerer.js';
import { postBatch } from './batch.js';
import { sessionIdOf } from './header-checks.js';
import { initialize } from './methods/initialize.js';
import { sendAnswer } from './requests/open-request.js';
import { receive, receivedIn, runInSession } from './session-messages.js';
import { sessionOf } from './session-of.js';
import { PostResponse } from './streams/post-response.js';
export function createPost(endpoint) {
    return async (request, reply, body) => {
        const { headers, raw } = request;
        const receivedAt = Date.now();
        if (Array.isArray(body))
            return postBatch(endpoint, body, request, reply);
        const message = readMessage(body);
        if (message.kind === 'invalid')
            throw new Refusal(400, RpcCode.InvalidRequest, message.reason);
        if (message.kind === 'request')
            checkDraining(endpoint, message);
        if (message.kind === 'request' && message.method === 'initialize' && (endpoint.isStateless || sessionIdOf(headers) === undefined))
            return openSession(endpoint, { message, headers, protocolVersion: LATEST_PROTOCOL_VERSION, receivedAt }, raw, reply);
        if (message.kind !== 'request') {
            await held(endpoint, reply.raw, async () => receive(endpoint, await sessionOf(endpoint, raw).loading, message));
            return reply.code(202).send();
        }
        const { loading, caller } = sessionOf(endpoint, raw);
        const method = endpoint.methods.get(message.method);
        const early = answerEarly(method, message, caller);
        const session = await loading;
        if (session.isShutDown === true)
            throw refusalOf(SESSION_SHUT_DOWN);
        if (message.method === 'initialize')
            throw new Refusal(400, RpcCode.InvalidRequest, 'Invalid Request: Server already initialized');
        const response = new PostResponse(reply.hijack().raw, {
            requestIds: [message.id],
            isBatch: false,
            source: endpoint.streams.sourceFor(session),
        });
        const operation = endpoint.reports.begin(receivedIn(session, { message, headers, receivedAt }));
        if (early !== undefined)
            return sendAnswer({ id: message.id, operation }, early, response, endpoint.logger);
        runInSession(endpoint, { message, session, operation }, response);
        return undefined;
    };
}
/** While the process ends, requests that only read are answered; what waits or changes something is better off elsewhere. */
function checkDraining({ closing, methods }, { method }) {
    if (closing.aborted && methods.get(method)?.kind !== 'reads')
        throw refusalOf(SHUTTING_DOWN);
}
async function openSession({ sessions, isStateless, introduce, admitSession, clearSession, reports, logger }, received, identity, reply) {
    const { id, params } = received.message;
    await identity.counted?.();
    const operation = reports.begin(received);
    try {
        const opening = isStateless
            ? undefined
            : { sessions, admit: (sessionId, bytes) => admitSession(identity, sessionId, bytes), release: clearSession };
        const { sessionId, result } = await initialize(params, introduce, opening, identity.auth);
        if (sessionId !== undefined)
            reply.header('mcp-session-id', sessionId);
        if (sessionId !== undefined)
            reports.sessionOpened();
        operation.end({ result });
        return await reply.send({ jsonrpc: '2.0', id, result });
    }
    catch (error) {
        const failure = failureOf(error, logger);
        operation.end({ error: failure });
        return reply
            .code(failure.httpStatus)
            .headers(failure.headers ?? {})
            .send(errorAnswer(id, failure));
    }
}
//# sourceMappingURL=post.js.map