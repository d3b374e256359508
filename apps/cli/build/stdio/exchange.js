import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { traitsOf } from '@longhaul/gateway/methods';
import { isEventStream, newCursor, readEvents } from './event-stream.js';
import { answerLost, Failure, failureAnswer, failureOf, subscriptionEnd, unreachable } from './failure.js';
import { isBroken, isUnsent } from './gateway-connection.js';
import { answeredId } from './incoming.js';
/** A gateway that has died is back sooner. If it is not, it has failed permanently, and its launcher stops. */
const OUT_OF_REACH_LIMIT_MS = 30_000;
const RETRY_MS = 50;
/**
 * From the last notification of a request to its answer. The SDK's client takes up a notification only after everything that it has
 * read together with it, and so would drop the last progress of a call that is answered in the same moment.
 */
const BREATH_MS = 10;
export class Exchange {
    deps;
    incoming;
    #pending;
    #isRepeatable;
    #cursor = newCursor();
    #cancelled = new AbortController();
    #signal;
    #onTaken = () => undefined;
    #notifiedAt = -Infinity;
    /** Whether there has been a stream. */
    #hasBegun = false;
    constructor(deps, incoming) {
        this.deps = deps;
        this.incoming = incoming;
        this.#signal = deps.isCancelledByHangingUp ? AbortSignal.any([deps.signal, this.#cancelled.signal]) : deps.signal;
        this.#pending = new Set(incoming.requests.map(({ id }) => id));
        this.#isRepeatable = incoming.requests.every(({ method }) => traitsOf(method).isRepeatable);
    }
    /**
     * Resolves when it is over; never rejects.
     *
     * @param onTaken called when the gateway has begun to answer, or will not
     */
    async run(onTaken = () => undefined) {
        this.#onTaken = onTaken;
        try {
            await this.#post();
            while (this.#pending.size > 0)
                await this.#resume();
        }
        catch (error) {
            await this.#fail(error);
        }
        onTaken();
    }
    /**
     * The client does not want the answer any more; one that is on its way still comes.
     *
     * @returns whether the gateway must still be notified
     */
    cancel(id) {
        const isPending = this.#pending.delete(id);
        if (isPending && this.deps.isCancelledByHangingUp)
            this.#cancelled.abort();
        return !(isPending && this.deps.isCancelledByHangingUp);
    }
    async #post() {
        const { connection, headers } = this.deps;
        const signal = this.#signal;
        const body = this.incoming.text;
        const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
        const isAlone = !this.#isRepeatable;
        const request = { method: 'POST', headers: { ...headers, ...types }, body, isAlone, signal };
        const startedAt = performance.now();
        for (;;) {
            try {
                return await this.#take(await connection.request(request));
            }
            catch (error) {
                if (signal.aborted || !isBroken(error))
                    throw error;
                if (!isUnsent(error) && !this.#isRepeatable)
                    throw await this.#lost();
                if (performance.now() - startedAt > OUT_OF_REACH_LIMIT_MS)
                    throw unreachable(OUT_OF_REACH_LIMIT_MS);
                await delay(RETRY_MS, undefined, { signal });
            }
        }
    }
    /** One attempt to go on with the stream. @throws Failure when there is no way to */
    async #resume() {
        const { connection, headers } = this.deps;
        const signal = this.#signal;
        const { lastEventId, retryMs } = this.#cursor;
        // Cannot be resumed: an older revision of the protocol, or a store that was away.
        if (lastEventId === undefined)
            throw this.#isRepeatable ? answerLost() : await this.#lost();
        await delay(retryMs, undefined, { signal });
        const request = { method: 'GET', headers: { ...headers, accept: 'text/event-stream', 'last-event-id': lastEventId }, signal };
        const response = await connection.request(request).catch((error) => {
            if (signal.aborted)
                throw error;
            return undefined; // Not there yet.
        });
        const { statusCode = 0 } = response ?? {};
        if (response === undefined)
            return;
        if (statusCode === 409 || statusCode === 429 || statusCode >= 500)
            response.resume();
        else if (statusCode === 204)
            throw answerLost();
        else
            await this.#take(response);
    }
    /** Reports the lost answer no sooner than the client can call again: the socket of a process that is just dying still takes connections. */
    async #lost() {
        const signal = this.#signal;
        const startedAt = performance.now();
        do
            await delay(RETRY_MS, undefined, { signal });
        while (!(await this.#isAnswered()) && performance.now() - startedAt < OUT_OF_REACH_LIMIT_MS);
        return answerLost();
    }
    /** Whether the gateway answers anything at all. */
    async #isAnswered() {
        try {
            const response = await this.deps.connection.request({ method: 'HEAD', headers: {}, isAlone: true, signal: this.#signal });
            response.resume();
            return true;
        }
        catch (error) {
            if (this.#signal.aborted || !isBroken(error))
                throw error;
            return false;
        }
    }
    async #take(response) {
        const { statusCode = 0, headers } = response;
        const onMessage = (json) => this.#pass(json, headers);
        if (statusCode < 300 && isEventStream(response)) {
            this.#hasBegun = true;
            this.#onTaken();
            return readEvents(response, this.#cursor, onMessage);
        }
        const body = await text(response);
        this.#onTaken();
        if (statusCode >= 300)
            throw failureOf(statusCode, body);
        if (body !== '')
            await onMessage(body);
        else if (this.#pending.size > 0)
            throw failureOf(statusCode, body);
    }
    /** Passes a message on as it is. */
    async #pass(json, headers) {
        const { output, onAnswer } = this.deps;
        const parsed = JSON.parse(json);
        let isNotification = true;
        for (const message of Array.isArray(parsed) ? parsed : [parsed]) {
            const id = answeredId(message);
            if (id === undefined)
                continue;
            isNotification = false;
            this.#pending.delete(id);
            onAnswer?.(message, headers);
        }
        if (isNotification)
            this.#notifiedAt = performance.now();
        else if (performance.now() - this.#notifiedAt < BREATH_MS)
            await delay(BREATH_MS);
        await output.send(json);
    }
    async #fail(error) {
        const { output, log } = this.deps;
        if (this.#signal.aborted)
            return;
        const failure = error instanceof Failure ? error : failureOf(undefined, '');
        if (failure !== error)
            log(`a message could not be passed on: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        else if (this.#pending.size === 0)
            log(`the gateway has refused a message: ${failure.message}`);
        for (const id of this.#pending)
            await output.send(this.#hasSubscribed ? subscriptionEnd(id, failure) : failureAnswer(id, failure));
        this.#pending.clear();
    }
    get #hasSubscribed() {
        return this.#hasBegun && this.incoming.requests.some(({ method }) => traitsOf(method).isSubscription);
    }
}
//# sourceMappingURL=exchange.js.map