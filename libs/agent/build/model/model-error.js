const WORTH_ANOTHER_TRY = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'TIMEOUT', 'BAD_RESPONSE']);
/** A model did not answer. The message is for people and never has the key in it. */
export class ModelError extends Error {
    code;
    retryAfterMs;
    name = 'ModelError';
    /** @param retryAfterMs how long the endpoint asks to wait, if it does */
    constructor(code, message, retryAfterMs) {
        super(message);
        this.code = code;
        this.retryAfterMs = retryAfterMs;
    }
    /** Whether the same request may be answered later. */
    get isTransient() {
        return WORTH_ANOTHER_TRY.has(this.code);
    }
}
//# sourceMappingURL=model-error.js.map