import { askClient } from './ask-client.js';
import { TaskLeftError } from './errors.js';
/** A call that has not ended: what its callbacks are, and what was given to them already. */
export class ActiveCall {
    options;
    tool;
    progressToken;
    /** Aborted by the caller or by the end of the client. */
    signal;
    /** Ids of the requests that were sent for it. */
    requestIds = new Set();
    #end = new AbortController();
    #answered = Promise.withResolvers();
    #reference;
    #answers = new Map();
    #reported = '';
    constructor(options) {
        this.options = options;
        this.tool = options.tool;
        this.progressToken = options.progressToken;
        this.signal = AbortSignal.any([options.closing, this.#end.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    }
    /** Known when the call has become a task. */
    get reference() {
        return this.#reference;
    }
    /** Resolves when the call has become a task, or has ended. */
    get answered() {
        return this.#answered.promise;
    }
    /** Notes that the call is this task. */
    becomes(reference) {
        this.#reference = reference;
        this.#answered.resolve();
        const { leave } = this.options;
        if (leave === undefined)
            return;
        const left = () => this.#end.abort(new TaskLeftError());
        if (leave.aborted)
            left();
        else
            leave.addEventListener('abort', left, { once: true, signal: this.#end.signal });
    }
    /** Whether the caller wants the work to stop, which the end of the client does not. */
    get isCancelled() {
        return this.options.signal?.aborted ?? false;
    }
    /** Reports the status, unless it was reported already. */
    report(status) {
        const { taskId, status: state, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = status;
        const key = JSON.stringify([state, statusMessage, lastUpdatedAt]);
        if (key === this.#reported)
            return;
        this.#reported = key;
        this.options.onStatus?.({
            taskId,
            status: state,
            createdAt,
            lastUpdatedAt,
            ttlMs,
            ...(statusMessage !== undefined && { statusMessage }),
            ...(pollIntervalMs !== undefined && { pollIntervalMs }),
        });
    }
    /** Hears a notification. @returns whether it was progress of this call */
    hear({ method, params }) {
        const isMine = method === 'notifications/progress' && this.progressToken !== undefined && params?.['progressToken'] === this.progressToken;
        if (!isMine)
            return false;
        const { progress, total, message } = params;
        try {
            this.options.onProgress?.({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) });
        }
        catch (error) {
            this.#end.abort(error);
        }
        return true;
    }
    /**
     * The answer to a request for input. A request that comes again, as it does when its stream broke, gets the answer
     * of the first time: nobody is asked twice.
     *
     * @param key the same for the same request
     * @throws InputFailedError
     */
    answer(key, request, signal = this.signal) {
        const known = this.#answers.get(key);
        if (known !== undefined)
            return known;
        const answer = this.#ask(request, AbortSignal.any([signal, this.signal]));
        this.#answers.set(key, answer);
        answer.catch(() => this.#answers.delete(key)); // Who asks again after a failure may get an answer.
        return answer;
    }
    /** Ends what still runs for the call. */
    end() {
        this.#end.abort(new DOMException('The call has ended.', 'AbortError'));
        this.#answered.resolve();
    }
    #ask(request, signal) {
        const { onInput = {}, defaults = {} } = this.options;
        const handlers = onInput[request.kind] === undefined ? defaults : onInput;
        const taskId = this.reference?.taskId;
        return askClient(handlers, request, { tool: this.tool, signal, ...(taskId !== undefined && { taskId }) });
    }
}
//# sourceMappingURL=active-call.js.map