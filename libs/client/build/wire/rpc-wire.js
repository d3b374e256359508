/**
 * Requests of this library over the transport of an SDK client, beside the client's own ones.
 *
 * The SDK's client cannot send them: it does not know results of the type `task`, does not notice when the stream
 * of a request breaks, and stops waiting after a minute. The transport is the SDK's, so headers, authentication and
 * the resumption of streams are what they are for the client. Ids are texts that begin with a token of this wire; the
 * client counts numbers. What the wire does not take goes on to the client.
 */
import { isJSONRPCErrorResponse, isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse, isJSONRPCResultResponse, } from '@modelcontextprotocol/client';
import { ConnectionLostError, RpcError } from '../errors.js';
import { inputKindOf } from '../input.js';
import { activeTrace } from './active-trace.js';
import { randomToken } from './random-token.js';
import { withRetries } from './retries.js';
import { wireFailure } from './wire-failure.js';
/** The requests over one transport. */
export class RpcWire {
    transport;
    options;
    #token = `${randomToken()}-`;
    #pending = new Map();
    #origins = new Map();
    #deliveries = new Set();
    #count = 0;
    #streamOf;
    #isOpen = true;
    #closed = Promise.withResolvers();
    #transmit;
    /** Takes its place between a connected transport and the client. */
    constructor(transport, options) {
        this.transport = transport;
        this.options = options;
        const { onmessage, onclose } = transport;
        this.#transmit = transport.send.bind(transport);
        // The client's answers to questions of the server, whose loss nobody would notice: the server just goes on waiting.
        transport.send = (message, sendOptions) => isJSONRPCResponse(message) ? this.#deliver(message, 'an answer') : this.#transmit(message, sendOptions);
        transport.onmessage = (message, extra) => {
            if (!this.#take(message))
                onmessage?.(message, extra);
        };
        transport.onclose = () => {
            this.#close();
            onclose?.();
        };
    }
    /** Whether requests can be sent; a connection that is down for the moment is open. */
    get isOpen() {
        return this.#isOpen;
    }
    /** Resolves when no more requests can be sent. */
    get closed() {
        return this.#closed.promise;
    }
    /** A text that this wire has not used before, for requests and progress. */
    newId() {
        this.#count += 1;
        return `${this.#token}${this.#count}`;
    }
    /**
     * The request of this wire on whose stream the server's request came, if the stream shows it. Known once, and only
     * for streams whose events have ids.
     */
    takeOrigin(requestId) {
        const origin = this.#origins.get(requestId);
        this.#origins.delete(requestId);
        return origin;
    }
    /** Resolves when answers and cancellations that are on their way have arrived, or have failed. */
    async delivered() {
        await Promise.allSettled(this.#deliveries);
    }
    /**
     * Sends a request and waits for its result.
     *
     * @throws RpcError if the server answers with an error; ConnectionLostError if no answer comes
     */
    async request(request) {
        const { method, signal, isCancellable = false, timeoutMs } = request;
        signal?.throwIfAborted();
        if (!this.#isOpen)
            throw new ConnectionLostError(`${method} was not sent: the connection is closed.`, 'none');
        const id = this.newId();
        const answer = Promise.withResolvers();
        const stream = new AbortController();
        const fail = (reason) => {
            answer.reject(reason);
            stream.abort();
            if (isCancellable)
                this.#cancel(id);
        };
        const abort = () => fail(signal?.reason);
        const timer = timeoutMs === undefined
            ? undefined
            : setTimeout(() => fail(new ConnectionLostError(`No answer to ${method} came within ${timeoutMs} ms.`)), timeoutMs);
        this.#pending.set(id, answer);
        signal?.addEventListener('abort', abort, { once: true });
        request.onSend?.(id);
        this.#send(id, request, stream.signal, answer.reject);
        try {
            return await answer.promise;
        }
        finally {
            clearTimeout(timer);
            signal?.removeEventListener('abort', abort);
            this.#pending.delete(id);
        }
    }
    #send(id, { method, params = {}, headers }, requestSignal, fail) {
        const hasSession = this.transport.sessionId !== undefined;
        this.#transmit({ jsonrpc: '2.0', id, method, params: this.#framed(params) }, {
            ...(headers !== undefined && { headers }),
            requestSignal,
            onRequestStreamEnd: () => fail(new ConnectionLostError(`The stream with the answer to ${method} broke.`)),
            onresumptiontoken: () => this.#isOnStreamOf(id),
        }).catch((error) => fail(wireFailure(error, { id, method, hasSession })));
    }
    /** Sends a message that may come twice: of equal answers the server takes the first, and so it does of cancellations. */
    #deliver(message, what) {
        const delivery = withRetries(this.options.retries, () => this.#isOpen, undefined, async () => {
            try {
                await this.#transmit(message);
            }
            catch (error) {
                throw wireFailure(error, { id: '', method: what, hasSession: false });
            }
        });
        this.#deliveries.add(delivery);
        return delivery.finally(() => this.#deliveries.delete(delivery));
    }
    /** Sends a cancellation, unless the end of the request's stream is one. */
    #cancel(id) {
        const endOfStreamCancels = this.options.envelope !== undefined && this.transport.hasPerRequestStream === true;
        if (endOfStreamCancels)
            return;
        const params = this.#framed({ requestId: id, reason: 'The client gave the request up.' });
        const cancelled = 'notifications/cancelled';
        this.#deliver({ jsonrpc: '2.0', method: cancelled, params }, cancelled).catch((error) => this.options.onError(error instanceof Error ? error : new Error(String(error))));
    }
    #framed(params) {
        const { envelope } = this.options;
        const given = params['_meta'];
        // A caller who names a trace means that one, with what belongs to it.
        const trace = given?.['traceparent'] === undefined ? activeTrace() : undefined;
        if (envelope === undefined && trace === undefined)
            return { ...params };
        return { ...params, _meta: { ...trace, ...given, ...envelope } };
    }
    /** Of two callbacks for one event the transport makes this one first, and both before anything else can happen. */
    #isOnStreamOf(id) {
        this.#streamOf = id;
        queueMicrotask(() => {
            this.#streamOf = undefined;
        });
    }
    /** @returns whether the message is none of the client's business */
    #take(message) {
        if (isJSONRPCResultResponse(message))
            return this.#settle(message.id, (answer) => answer.resolve(message.result));
        if (isJSONRPCErrorResponse(message)) {
            const { code, message: text, data } = message.error;
            return this.#settle(message.id, (answer) => answer.reject(new RpcError(code, text, data)));
        }
        if (isJSONRPCRequest(message))
            this.#noteOrigin(message);
        return isJSONRPCNotification(message) && this.options.notifications.notify(message);
    }
    #noteOrigin({ id, method }) {
        if (this.#streamOf !== undefined && inputKindOf(method) !== undefined)
            this.#origins.set(id, this.#streamOf);
    }
    /** Answers that come too late are taken as well: the client would not know their ids. */
    #settle(id, settle) {
        if (typeof id !== 'string' || !id.startsWith(this.#token))
            return false;
        const answer = this.#pending.get(id);
        if (answer !== undefined)
            settle(answer);
        return true;
    }
    #close() {
        this.#isOpen = false;
        this.#closed.resolve();
        for (const answer of this.#pending.values())
            answer.reject(new ConnectionLostError('The connection was closed.'));
    }
}
//# sourceMappingURL=rpc-wire.js.map