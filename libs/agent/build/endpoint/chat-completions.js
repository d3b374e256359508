var __addDisposableResource = (this && this.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (this && this.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import { Stream } from 'openai/streaming';
import { CompletionBuilder } from './completion.js';
import { ModelError } from '../model/model-error.js';
import { refusalOf } from './refusal.js';
import { RequestWatch } from './request-watch.js';
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/**
 * Sends a body and reads the completion, streamed if the body says so and the endpoint does it.
 *
 * @throws EndpointRefusal when the endpoint says why it does not answer; ModelError when it says nothing or no completion; the
 * reason of the signal
 */
export async function requestCompletion(connection, body, options) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { timeouts } = connection;
        const isStreamed = body['stream'] === true;
        const watch = __addDisposableResource(env_1, new RequestWatch({
            signal: options.signal,
            timeouts: isStreamed ? timeouts : { ...timeouts, firstByteMs: timeouts.totalMs },
            maxBytes: MAX_ANSWER_BYTES,
        }), false);
        try {
            watch.signal.throwIfAborted();
            const client = clientOf(connection, watch);
            // Bodies have members that only some servers know.
            const response = await client.chat.completions.create(body, { signal: watch.signal }).asResponse();
            const builder = new CompletionBuilder(options.onDelta);
            const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
            if (isStream)
                for await (const chunk of Stream.fromSSEResponse(response, new AbortController(), client))
                    builder.add(chunk);
            else
                builder.add(objectOf(await response.text(), connection));
            // A stream that is aborted ends as if it were complete.
            watch.signal.throwIfAborted();
            return requireComplete(builder.finish(), isStream);
        }
        catch (error) {
            if (watch.signal.aborted)
                throw watch.signal.reason;
            throw meaningOf(error, connection);
        }
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        __disposeResources(env_1);
    }
}
/** The environment's settings for OpenAI are not meant for this endpoint. */
function clientOf({ baseUrl, apiKey, headers, fetch }, watch) {
    return new OpenAI({
        baseURL: baseUrl.href,
        apiKey: apiKey ?? 'none',
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        defaultHeaders: { ...withoutCustomHeaders(process.env), ...(apiKey === undefined && { authorization: null }), ...headers },
        maxRetries: 0,
        timeout: LONGEST_TIMER_MS,
        logLevel: 'off',
        fetch: watch.through(fetch),
        // The key goes to the endpoint and nowhere else.
        fetchOptions: { redirect: 'manual' },
    });
}
/** `openai` sends these headers wherever it connects, and has no option for that. */
function withoutCustomHeaders({ OPENAI_CUSTOM_HEADERS: lines = '' }) {
    return Object.fromEntries(lines.split('\n').flatMap((line) => (line.includes(':') ? [[line.split(':', 1)[0]?.trim(), null]] : [])));
}
function objectOf(text, { redact }) {
    let answer;
    try {
        answer = JSON.parse(text);
    }
    catch {
        throw new ModelError('BAD_RESPONSE', `The endpoint answered what is no JSON: ${redact(text).slice(0, 100)}`);
    }
    if (answer?.['error'])
        throw refusalOf({ status: undefined, error: answer['error'] }, redact);
    return answer;
}
function requireComplete(completion, isStream) {
    if (!completion.hasChoice)
        throw new ModelError('BAD_RESPONSE', 'No response');
    if (isStream && completion.finishReason === undefined)
        throw new ModelError('UNAVAILABLE', 'The connection ended in the middle of the answer.');
    return completion;
}
function meaningOf(error, { redact }) {
    if (error instanceof APIConnectionError || error instanceof APIUserAbortError) {
        return new ModelError('UNAVAILABLE', `The endpoint cannot be reached: ${redact(rootMessage(error))}`);
    }
    if (error instanceof APIError) {
        const body = error.error ?? error.message.replace(/^\d+ (status code \(no body\))?/, '');
        return refusalOf({ status: error.status, headers: error.headers, error: body }, redact);
    }
    if (error instanceof SyntaxError)
        return new ModelError('BAD_RESPONSE', 'The endpoint answered with a stream that has malformed JSON.');
    // What breaks a connection in the middle of an answer.
    if (error instanceof TypeError)
        return new ModelError('UNAVAILABLE', `The connection broke: ${redact(rootMessage(error))}`);
    return error;
}
function rootMessage(error) {
    return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}
//# sourceMappingURL=chat-completions.js.map