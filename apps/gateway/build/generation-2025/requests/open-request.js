import { failureOf } from '../../rpc/errors.js';
import { errorAnswer } from '../../rpc/messages.js';
import { silentOperation } from '../../rpc/operation.js';
export class OpenRequest {
    id;
    response;
    operation;
    isCancelled = false;
    #aborted = new AbortController();
    #whenBound = new Set();
    #whenOver = new Set();
    #taskId;
    #isOver = false;
    constructor(id, response, operation = silentOperation()) {
        this.id = id;
        this.response = response;
        this.operation = operation;
    }
    /** The task that the answer is of. Without one it is made in this process, and nowhere else. */
    get taskId() {
        return this.#taskId;
    }
    /** Has the request answered. Everything that can go wrong becomes the answer. */
    async run(answerer, logger) {
        try {
            const result = await this.operation.within(() => answerer(this.#scope()));
            this.#settle({ jsonrpc: '2.0', id: this.id, result }, {});
        }
        catch (error) {
            if (this.#isOver)
                return; // Nobody waits for it any more.
            try {
                this.#settleWith(failureOf(error, logger));
            }
            catch (unsendable) {
                this.#settleWith(failureOf(unsendable, logger)); // What a feature has put into its error is no JSON.
            }
        }
    }
    /** Calls the listener when it becomes known that the answer is that of a task. */
    whenBound(listener) {
        this.#whenBound.add(listener);
    }
    /** Calls the listener once, when the request has its answer or will get none. @returns what keeps it from being called */
    whenOver(listener) {
        if (this.#isOver)
            listener();
        else
            this.#whenOver.add(listener);
        return () => void this.#whenOver.delete(listener);
    }
    /** Says that the answer is that of a task, which any gateway can go on with. */
    bind(taskId) {
        this.#taskId = taskId;
        this.response.bind(this.id, taskId);
        for (const listener of this.#whenBound)
            listener();
    }
    /** Ends the work without an answer, because nobody is there to read one. */
    close() {
        if (this.#isOver)
            return;
        this.#aborted.abort();
        this.#end();
    }
    /** Ends the work with an error as its answer. */
    fail(failure) {
        if (this.#isOver)
            return;
        this.#aborted.abort();
        this.#settleWith(failure);
    }
    /** Has the client come back for the answer; one that cannot gets the failure as its answer. */
    sendElsewhere(failure) {
        if (!this.#isOver)
            this.response.sendElsewhere(() => this.fail(failure));
    }
    /** Ends the work because the client cancelled it: there is no answer. */
    cancel() {
        this.isCancelled = true;
        if (this.#isOver)
            return;
        this.#aborted.abort();
        this.response.withdraw(this.#taskId !== undefined);
        this.#end();
    }
    /** Ends the work as if the client had cancelled it, because it has been answered that there is no place for it. */
    refuse() {
        this.isCancelled = true;
        this.close();
    }
    #scope() {
        const { signal } = this.#aborted;
        const isCancelled = () => this.isCancelled;
        const { response } = this;
        return {
            signal,
            get isCancelled() {
                return isCancelled();
            },
            push: (message) => this.#push(message),
            // There is no other gateway that could answer, so the client comes back for what this one still sends.
            closeStream: () => {
                if (!this.#isOver)
                    response.sendElsewhere(() => undefined);
            },
            whenOver: (listener) => this.whenOver(listener),
            stream: {
                get holder() {
                    return response.holder;
                },
                hasSent: (id) => response.hasSent(id),
                bind: (taskId) => this.bind(taskId),
            },
        };
    }
    /**
     * A task's requests are known to every gateway that goes on with the stream, and may go out once only. Notifications are lost
     * unless the gateway that took them sends them, and so is what a feature asks that runs in this process.
     */
    #push(message) {
        if (!this.#isOver && !this.#aborted.signal.aborted)
            this.response.push({ jsonrpc: '2.0', ...message }, 'id' in message && this.#taskId !== undefined);
    }
    #settleWith(failure) {
        this.#settle(errorAnswer(this.id, failure), failure);
    }
    #settle(message, head) {
        if (this.#isOver)
            return;
        this.response.answer(message, head, this.#taskId !== undefined);
        this.operation.end(message);
        this.#end();
    }
    #end() {
        this.#isOver = true;
        this.operation.end();
        for (const listener of this.#whenOver)
            listener();
        this.#whenOver.clear();
    }
}
/** Answers a request whose method runs already. Such a method cannot be cancelled, and sends nothing before its answer. */
export async function sendAnswer({ id, operation }, running, response, logger) {
    try {
        const result = await running;
        response.answer({ jsonrpc: '2.0', id, result }, {}, false);
        operation.end({ result });
    }
    catch (error) {
        const failure = failureOf(error, logger);
        response.answer(errorAnswer(id, failure), failure, false);
        operation.end({ error: failure });
    }
}
//# sourceMappingURL=open-request.js.map