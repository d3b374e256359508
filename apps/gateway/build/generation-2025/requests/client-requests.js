import { requireSession, TaskError } from '@longhaul/tasks';
import { inputAnswerOf } from '../../rpc/tasks/client-response.js';
const LOOK_EVERY_MS = 5_000;
export class ClientRequests {
    deps;
    #pending = new Map();
    #sent = 0;
    #look;
    constructor(deps) {
        this.deps = deps;
    }
    /**
     * Sends a request on the stream of the call, and waits for the answer as long as the call lasts.
     *
     * @throws TaskError `INPUT_FAILED` when the client answers with an error, or with what is no answer to this;
     *   Error when the call has ended without the answer, such as one that does not wait for it
     */
    async send({ scope, session }, { method, params }) {
        const { signal } = scope;
        signal.throwIfAborted();
        requireSession(session.isStored);
        const id = this.deps.ids.idOf(this.deps.gatewayId, ++this.#sent, session.id);
        const { promise: answered, resolve, reject } = Promise.withResolvers();
        this.#pending.set(id, { sessionId: session.id, method, params, resolve });
        this.#look ??= setInterval(() => this.lookAtAll(), LOOK_EVERY_MS).unref();
        const stopListening = scope.whenOver(() => reject(signal.aborted ? signal.reason : new CallOver(method)));
        scope.push({ id, method, params });
        try {
            const answer = await answered;
            if ('error' in answer)
                throw new TaskError('INPUT_FAILED', answer.error.message, answer.error);
            return answer.response;
        }
        finally {
            stopListening();
            this.#pending.delete(id);
            if (this.#pending.size === 0)
                this.stop();
        }
    }
    /** Takes an answer that the session has POSTed here. @returns false when it answers no request of these */
    async receive(id, answer, sessionId) {
        const { ids, clientResponses, control, gatewayId } = this.deps;
        const waiting = ids.gatewayOf(id, sessionId);
        if (waiting === undefined)
            return false;
        if (waiting === gatewayId)
            return this.#settle(id, answer);
        await clientResponses.put({ sessionId, requestId: id }, JSON.stringify(answer));
        await control.publishTo(waiting, { type: 'request-answered', sessionId, requestId: id });
        return true;
    }
    /** Looks for an answer that another gateway has stored. */
    async look(id) {
        const pending = this.#pending.get(id);
        if (pending === undefined)
            return;
        const { clientResponses, logger } = this.deps;
        try {
            const answer = await clientResponses.take({ sessionId: pending.sessionId, requestId: id });
            if (answer !== undefined)
                this.#settle(id, JSON.parse(answer));
        }
        catch (error) {
            logger.warn({ err: error }, 'answer of a client not looked for');
        }
    }
    /** Looks for the answers to all requests, some of which may have been missed. */
    lookAtAll() {
        for (const id of this.#pending.keys())
            void this.look(id);
    }
    stop() {
        clearInterval(this.#look);
        this.#look = undefined;
    }
    #settle(id, answer) {
        const pending = this.#pending.get(id);
        if (pending === undefined)
            return false;
        pending.resolve(inputAnswerOf(pending, answer));
        return true;
    }
}
/** Its author hears of it, if it is of those who wait. */
class CallOver extends Error {
    name = 'CallOver';
    constructor(method) {
        super(`The call has ended before the client has answered ${method}.`);
    }
}
//# sourceMappingURL=client-requests.js.map