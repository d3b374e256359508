import { Ending } from '../../streams/ending.js';
import { SseWriter } from '../../streams/sse-writer.js';
export class PostResponse {
    raw;
    alive;
    #hungUp;
    #leaving;
    #isLeaving = false;
    #isAnswered = false;
    #isCancelled = false;
    #stream;
    #ending = new Ending();
    constructor(raw, alive) {
        this.raw = raw;
        this.alive = alive;
        // First, so that the other listeners know whether it was cancelled.
        this.#ending.whenOver(() => {
            if (!raw.writableFinished)
                this.#cancel();
        });
        if (raw.destroyed)
            this.#ending.end();
        else
            raw.on('close', () => this.#ending.end());
    }
    /** Aborts when the client hangs up before it has the answer: that is how it cancels. */
    get signal() {
        this.#hungUp ??= new AbortController();
        if (this.#isCancelled)
            this.#hungUp.abort();
        return this.#hungUp.signal;
    }
    /** Aborts when the response is to end soon with an answer that says how to go on. */
    get leaving() {
        this.#leaving ??= new AbortController();
        if (this.#isLeaving)
            this.#leaving.abort();
        return this.#leaving.signal;
    }
    /** Whether the client has hung up before it had the answer, or was cut off. */
    get isCancelled() {
        return this.#isCancelled;
    }
    /** Calls the listener once, when the client has the whole answer or has hung up. */
    whenOver(listener) {
        this.#ending.whenOver(listener);
    }
    /** Sends a notification. */
    push(notification) {
        if (this.#isAnswered || this.#ending.isOver)
            return;
        if (this.#isLeaving && this.#stream === undefined)
            return;
        const json = JSON.stringify({ jsonrpc: '2.0', ...notification });
        this.#stream ??= this.#begin();
        this.#stream.send(json);
    }
    /**
     * Sends the answer, and ends with it. Once there is a stream, it comes on that, and its head has gone out already.
     *
     * @throws TypeError for an answer that is no JSON; nothing has been sent then
     */
    answer(message, { httpStatus = 200, headers } = {}) {
        if (this.#isAnswered || this.#ending.isOver)
            return;
        const json = JSON.stringify(message);
        this.#isAnswered = true;
        if (this.#stream === undefined) {
            const contentLength = Buffer.byteLength(json);
            this.raw.writeHead(httpStatus, { 'content-type': 'application/json', 'content-length': contentLength, ...headers }).end(json);
        }
        else {
            this.#stream.send(json);
            this.#stream.end();
        }
    }
    /** Asks for an answer soon. From now on nothing else begins a stream. */
    leave() {
        this.#isLeaving = true;
        this.#leaving?.abort();
    }
    /** Whether it is an event stream. */
    get isStream() {
        return this.#stream !== undefined;
    }
    /** Says that the message was taken, and that there is no answer to it. */
    accept() {
        this.#isAnswered = true;
        this.raw.writeHead(202, { 'content-length': 0 }).end();
    }
    /** Aborts what runs for the client, as if that had hung up, and answers it. */
    cutOff(message, head) {
        if (this.#isAnswered || this.#ending.isOver)
            return;
        this.answer(message, head);
        this.#cancel();
    }
    #cancel() {
        this.#isCancelled = true;
        this.#hungUp?.abort();
    }
    #begin() {
        const stream = new SseWriter(this.raw);
        stream.begin();
        this.whenOver(this.alive.add(stream));
        return stream;
    }
}
//# sourceMappingURL=post-response.js.map