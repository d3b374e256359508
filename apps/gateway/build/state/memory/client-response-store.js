import { RESPONSE_TTL_MS } from '../client-response-store.js';
/** Answers within one process. */
export class MemoryClientResponseStore {
    clock;
    #answers = new Map();
    constructor(clock) {
        this.clock = clock;
    }
    async put(request, answer) {
        const now = this.clock();
        for (const [name, { until }] of this.#answers)
            if (until <= now)
                this.#answers.delete(name);
        const name = nameOf(request);
        if (!this.#answers.has(name))
            this.#answers.set(name, { answer, until: now + RESPONSE_TTL_MS });
    }
    async take(request) {
        const found = this.#answers.get(nameOf(request));
        this.#answers.delete(nameOf(request));
        return found !== undefined && found.until > this.clock() ? found.answer : undefined;
    }
}
function nameOf({ sessionId, requestId }) {
    return `${sessionId} ${requestId}`;
}
//# sourceMappingURL=client-response-store.js.map