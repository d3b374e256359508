import { limitOr } from '@longhaul/sessions';
import { callerWithoutSession } from '../rpc/caller.js';
import { orUnavailable, Refusal, RpcCode, SHUTTING_DOWN, TOKEN_EXPIRED } from '../rpc/errors.js';
import { whenExpired } from '../rpc/when-expired.js';
import { createContextOf } from '../rpc/features/request-context.js';
import { errorAnswer, requestIdOf } from '../rpc/messages.js';
import { traitsOf } from '../rpc/methods.js';
import { silentOperation } from '../rpc/operation.js';
import { serverInfo } from '../rpc/server-info.js';
import { KeepAlive } from '../streams/keep-alive.js';
import { ownFailureIn2026 } from './requests/error-codes.js';
import { PostResponse } from './requests/post-response.js';
import { failureIn2026 } from './requests/failures.js';
import { Listening } from './listen/listening.js';
import { ListenPlaces } from './listen/listen-places.js';
import { checkLengths } from './requests/message-limits.js';
import { fallbackTools } from './methods/fallback-tools.js';
import { modernCapabilities, modernMethods } from './methods/method-table.js';
import { createStateSeal } from './multi-round-trip/sealed-state.js';
import { createParamHeaderCheck } from './requests/param-headers.js';
import { GENERATION } from './requests/extension.js';
import { requestCall } from './requests/request-call.js';
import { encoded, serverMetaOf } from './requests/results.js';
import { checkStandardHeaders } from './requests/standard-headers.js';
/** How long a stream may take for its answer when the token of its caller is over. */
const LEAVING_MS = 1_000;
export function createGeneration2026(deps) {
    const { features, isDirect, reports, logger, config } = deps;
    const serverMeta = serverMetaOf(serverInfo(config.server));
    const listening = createListening(deps, serverMeta);
    const methods = createMethods(deps, listening.method);
    const checkParamHeaders = isDirect ? () => undefined : createParamHeaderCheck(features);
    const alive = new KeepAlive(config.keepAliveMs, (stream) => stream.keepAlive());
    const open = new Map();
    return {
        openStreams: () => alive.size,
        async serve(inbound, raw, rawResponse, body) {
            const receivedAt = Date.now();
            const response = new PostResponse(rawResponse, alive);
            const id = requestIdOf(body);
            let operation = silentOperation();
            open.set(response, id);
            response.whenOver(() => open.delete(response));
            endWithToken(response, id, raw);
            try {
                checkLengths(body);
                if (inbound.kind === 'refused')
                    throw inbound.refusal;
                if (inbound.kind === 'notification') {
                    await whenCounted(raw);
                    return response.accept();
                }
                operation = reports.begin({
                    message: inbound.request,
                    headers: raw.headers,
                    protocolVersion: GENERATION,
                    owner: callerWithoutSession(raw),
                    receivedAt,
                });
                await answerWithin({ methods, serverMeta, checkParamHeaders, operation }, inbound.request, raw, response);
            }
            catch (error) {
                if (response.isCancelled)
                    operation.end();
                else
                    fail({ response, id, operation }, error, logger);
            }
        },
        start: () => listening.start(),
        sayGoodbye: () => listening.sayGoodbye(),
        stop() {
            listening.stop();
            alive.stop();
            for (const [response, id] of open)
                response.cutOff(errorAnswer(id, ownFailureIn2026(SHUTTING_DOWN)), SHUTTING_DOWN);
        },
    };
}
function createListening({ tasks, sessionNotifications, owners, features, config, tenants, logger, closing }, serverMeta) {
    const places = new ListenPlaces((account) => limitOr(tenants.ofOwner(account).listenStreams, config.listenStreams));
    const capabilities = modernCapabilities(features);
    return new Listening({ tasks, sessionNotifications, owners, capabilities, serverMeta, places, logger, closing });
}
function createMethods(deps, listen) {
    const { tasks, notifyOfTask, state, config, instructions, keyRing, features, sessionNotifications, owners, logger, closing } = deps;
    const { bodyLimitBytes, maxTtlMs, pageSize, stateMs, syncWaitMs } = config;
    const contextOf = createContextOf({ notifications: sessionNotifications, owners, logger });
    const seal = createStateSeal(keyRing, { bodyLimitBytes, keptMs: stateMs });
    const waiting = { tasks, notifyOfTask, seal, syncWaitMs, closing };
    const fallback = fallbackTools(waiting);
    return modernMethods({
        ...waiting,
        ...state,
        stateMs,
        features,
        fallback,
        contextOf,
        owners,
        maxTtlMs,
        pageSize,
        instructions,
        listen,
        logger,
    });
}
/** A stream ends soon after the caller's token. What is asked for within it can be asked for again with a new one. */
function endWithToken(response, id, { auth }) {
    const ofToken = whenExpired(auth, () => {
        response.leave();
        const ofStream = setTimeout(() => {
            if (response.isStream)
                response.cutOff(errorAnswer(id, ownFailureIn2026(TOKEN_EXPIRED)), TOKEN_EXPIRED);
        }, LEAVING_MS);
        response.whenOver(() => clearTimeout(ofStream));
    });
    response.whenOver(ofToken);
}
/** A function of its own: what its closure holds, which may be megabytes, is not what those hold that last as long as a stream. */
function answerWithin(answering, request, raw, response) {
    return answering.operation.within(() => answer(answering, request, raw, response));
}
async function answer({ methods, serverMeta, checkParamHeaders, operation }, request, raw, response) {
    const method = methods.get(request.method);
    const traits = method === undefined ? {} : traitsOf(method.name);
    checkStandardHeaders(raw.headers, request, traits.subject);
    if (method === undefined)
        throw new Refusal(404, RpcCode.MethodNotFound, 'Method not found');
    checkParamHeaders(raw.headers, request);
    const call = requestCall(request, raw, response, operation);
    // What only reads is on its way at the same time. Who asks too much does not see it.
    const early = method.kind === 'answers' && method.isRead === true ? method.answer(call) : undefined;
    if (early instanceof Promise)
        early.catch(() => undefined);
    await whenCounted(raw);
    if (method.kind === 'streams') {
        response.whenOver(() => operation.end({}));
        return method.open(call, response);
    }
    const result = await (early ?? method.answer(call));
    response.answer({ jsonrpc: '2.0', id: request.id, result: encoded(result, traits, serverMeta) });
    operation.end({ result });
}
/** @throws Refusal 429 when the request is one too many, 503 while nobody can say */
async function whenCounted(raw) {
    const { counted } = raw;
    if (counted !== undefined)
        await orUnavailable(counted);
}
function fail({ response, id, operation }, error, logger) {
    const send = (failure) => {
        response.answer(errorAnswer(id, failure), failure);
        operation.end({ error: failure });
    };
    try {
        send(failureIn2026(error, logger));
    }
    catch (unsendable) {
        send(failureIn2026(unsendable, logger)); // What a feature has put into its error is no JSON.
    }
}
//# sourceMappingURL=generation-2026.js.map