import { ModelError } from '../model/model-error.js';
const DRAIN_MS = 100;
/** Watches one request; disposed of when it is over. */
export class RequestWatch {
    options;
    #controller = new AbortController();
    #endWithCaller;
    #total;
    #silence;
    #bytes = 0;
    #isOver = false;
    constructor(options) {
        this.options = options;
        const { signal, timeouts } = options;
        this.#endWithCaller = () => this.#controller.abort(signal.reason);
        if (signal.aborted)
            this.#endWithCaller();
        signal.addEventListener('abort', this.#endWithCaller, { once: true });
        this.#total = this.#limit(timeouts.totalMs, 'The model was not done with its answer');
        this.#silence = this.#limit(timeouts.firstByteMs, 'The model did not begin to answer');
    }
    /** Aborts when the request has to end. */
    get signal() {
        return this.#controller.signal;
    }
    /** Fetches with an eye on what comes. */
    through = (fetch) => async (input, init) => {
        const response = await fetch(input, init);
        if (response.body === null)
            return response;
        const reader = response.body.getReader();
        const body = new ReadableStream({
            pull: async (controller) => {
                const { done, value } = await reader.read();
                if (!done)
                    this.#saw(value.length);
                this.signal.throwIfAborted();
                if (done)
                    controller.close();
                else
                    controller.enqueue(value);
            },
            cancel: () => void drain(reader),
        });
        this.signal.addEventListener('abort', () => void reader.cancel(this.signal.reason).catch(() => { }), { once: true });
        return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
    };
    [Symbol.dispose]() {
        this.#isOver = true;
        clearTimeout(this.#total);
        clearTimeout(this.#silence);
        this.options.signal.removeEventListener('abort', this.#endWithCaller);
    }
    #saw(bytes) {
        // What comes after the end of an answer starts no timers.
        if (this.#isOver)
            return;
        const { maxBytes, timeouts } = this.options;
        clearTimeout(this.#silence);
        this.#silence = this.#limit(timeouts.idleMs, 'The model stopped in the middle of its answer and said nothing more');
        this.#bytes += bytes;
        if (this.#bytes > maxBytes)
            this.#end(new ModelError('BAD_RESPONSE', `The answer of the endpoint is longer than ${maxBytes} bytes.`));
    }
    #limit(ms, what) {
        return setTimeout(() => this.#end(new ModelError('TIMEOUT', `${what} within ${ms} ms.`)), ms);
    }
    #end(reason) {
        this.#controller.abort(reason);
    }
}
/** The end of a body follows what its reader has waited for, and only after it can the connection be used again. */
async function drain(reader) {
    const timer = setTimeout(() => void reader.cancel().catch(() => { }), DRAIN_MS);
    try {
        while (!(await reader.read()).done)
            ;
    }
    catch {
        // The connection broke, which does not matter any more.
    }
    finally {
        clearTimeout(timer);
    }
}
//# sourceMappingURL=request-watch.js.map