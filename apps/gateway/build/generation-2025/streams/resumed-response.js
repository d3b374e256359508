import {} from '../../rpc/errors.js';
export class ResumedResponse {
    stream;
    sent;
    /** @param sent ids of requests to the client that the stream carried before */
    constructor(stream, sent) {
        this.stream = stream;
        this.sent = sent;
    }
    get holder() {
        return this.stream.ref;
    }
    /** It is known already: only such answers are made here. */
    bind(_requestId, _taskId) {
        // Nothing changes.
    }
    hasSent(id) {
        return this.sent.has(id);
    }
    push(message, isExclusive) {
        this.stream.send({ json: JSON.stringify(message), isExclusive, isAnswer: false });
    }
    answer(message, _head, isExclusive) {
        this.stream.send({ json: JSON.stringify(message), isExclusive, isAnswer: true });
    }
    withdraw(isExclusive) {
        this.stream.withdraw(isExclusive);
    }
    sendElsewhere() {
        void this.stream.sayGoodbye();
    }
}
//# sourceMappingURL=resumed-response.js.map