import {} from '../../rpc/errors.js';
import { errorAnswer } from '../../rpc/messages.js';
export class PostResponse {
    raw;
    /** As JSON. */
    #answers = [];
    #isBatch;
    #source;
    #requests;
    /** What waits until the stream is open. */
    #waiting;
    #due;
    #stream;
    #patience;
    #onRefused = [];
    constructor(raw, { requestIds, others = 0, isBatch, source }) {
        this.raw = raw;
        const { scopes = [] } = source;
        this.#requests = requestIds.map((id) => ({ id, ...(scopes.length > 0 && { scopes }) }));
        this.#due = requestIds.length + others;
        this.#isBatch = isBatch;
        this.#source = source;
    }
    get holder() {
        return this.#source.holder;
    }
    /** Whether it is an event stream, or about to become one. */
    get isStream() {
        return this.#stream !== undefined || this.#waiting !== undefined;
    }
    /** Becomes a stream when the answer takes longer. */
    streamAfter(ms) {
        this.#patience ??= setTimeout(() => this.#onStream(() => undefined), ms);
    }
    /** Calls the listener when the response is complete, or the client hung up before: from a stream it may come back. */
    onClose(listener) {
        this.raw.once('close', () => {
            clearTimeout(this.#patience);
            listener(this.isStream && this.#source.isKept);
        });
    }
    /** Calls the listener when there may be no stream, and the requests have been answered so. */
    onRefused(listener) {
        this.#onRefused.push(listener);
    }
    /** Whether nobody can come back to the stream any more. */
    async isForgotten() {
        return (await this.#stream?.isForgotten()) ?? true;
    }
    /** A response that is no stream yet becomes one for this: the call is neither lost nor made twice. */
    sendElsewhere(otherwise) {
        if (this.raw.destroyed)
            return; // Its client may have come back already.
        if (!this.#source.isResumable)
            return otherwise();
        // The log may not have it, and then the client has no id to come back with.
        this.#onStream((stream) => (stream.isPrimed ? void stream.sayGoodbye() : otherwise()));
    }
    bind(requestId, taskId) {
        const request = this.#requests.find(({ id }) => id === requestId);
        if (request !== undefined)
            request.taskId = taskId;
        if (this.isStream)
            this.#onStream((stream) => stream.bind(this.#requests));
    }
    hasSent() {
        return false;
    }
    push(message, isExclusive) {
        if (this.#isOver)
            return;
        const json = JSON.stringify(message);
        this.#onStream((stream) => stream.send({ json, isExclusive, isAnswer: false }));
    }
    answer(message, head, isExclusive) {
        if (this.#isOver)
            return;
        // First: what cannot be sent is answered with an error in its place.
        const json = JSON.stringify(message);
        this.#due -= 1;
        if (this.isStream)
            this.#onStream((stream) => stream.send({ json, isExclusive, isAnswer: true }));
        else {
            this.#answers.push(json);
            if (this.#due === 0)
                this.#sendJson(head);
        }
    }
    withdraw(isExclusive) {
        if (this.#isOver)
            return;
        this.#due -= 1;
        // Without any answer there is nothing that JSON could say, but a stream may end empty.
        if (this.isStream || (this.#due === 0 && this.#answers.length === 0))
            this.#onStream((stream) => stream.withdraw(isExclusive));
        else if (this.#due === 0)
            this.#sendJson({});
    }
    /** Whether nothing more will be written. */
    get #isOver() {
        return this.#due <= 0 || (this.raw.destroyed && !this.isStream);
    }
    #sendJson({ httpStatus = 200, headers }) {
        clearTimeout(this.#patience);
        const answers = this.#answers.join(',');
        const body = this.#isBatch ? `[${answers}]` : answers;
        this.raw.writeHead(this.#isBatch ? 200 : httpStatus, {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...headers,
        });
        this.raw.end(body);
    }
    #onStream(write) {
        if (this.#stream !== undefined)
            write(this.#stream);
        else if (this.#waiting !== undefined)
            this.#waiting.push(write);
        else {
            clearTimeout(this.#patience);
            const answered = this.#answers.splice(0).map((json) => (stream) => {
                stream.send({ json, isExclusive: false, isAnswer: true });
            });
            this.#waiting = [...answered, write];
            void this.#open();
        }
    }
    async #open() {
        const opened = await this.#source.open(this.raw, this.#requests);
        const waiting = this.#waiting ?? [];
        this.#waiting = undefined;
        if ('code' in opened)
            return this.#refuse(opened);
        this.#stream = opened;
        for (const write of waiting)
            write(opened);
    }
    #refuse(failure) {
        this.#due = 0;
        const [request] = this.#requests;
        const id = this.#isBatch ? null : (request?.id ?? null);
        this.#answers.splice(0, Infinity, JSON.stringify(errorAnswer(id, failure)));
        if (!this.raw.destroyed)
            this.#sendJson(failure);
        for (const listener of this.#onRefused)
            listener();
    }
}
//# sourceMappingURL=post-response.js.map