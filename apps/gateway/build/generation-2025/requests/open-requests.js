import { within } from '@longhaul/runtime/within';
import { taskLeft } from '../../rpc/errors.js';
/** The requests of this process that wait, by session. It is about work that runs here only; sessions live elsewhere. */
export class OpenRequests {
    #bySession = new Map();
    #whenNone = new Set();
    #isDraining = false;
    /** It is removed when it is over. */
    add(sessionId, request) {
        const open = this.#bySession.get(sessionId);
        if (open === undefined)
            this.#bySession.set(sessionId, new Set([request]));
        else
            open.add(request);
        request.whenOver(() => this.#remove(sessionId, request));
        request.whenBound(() => {
            if (this.#isDraining)
                sendElsewhere(request);
        });
    }
    /** Whether the session's request with this id is under way here. */
    has(sessionId, requestId) {
        for (const request of this.#bySession.get(sessionId) ?? [])
            if (request.id === requestId)
                return true;
        return false;
    }
    /** Cancels the session's request with this id, if it is under way here. */
    cancel(sessionId, requestId) {
        for (const request of Array.from(this.#bySession.get(sessionId) ?? []))
            if (request.id === requestId)
                request.cancel();
    }
    /** Answers all open requests of the session with an error. */
    endSession(sessionId, failure) {
        for (const request of Array.from(this.#bySession.get(sessionId) ?? []))
            request.fail(failure);
    }
    /** From now on, what waits for a task is sent to other gateways; what runs in this process may end here. */
    drain() {
        this.#isDraining = true;
        for (const requests of this.#bySession.values())
            for (const request of Array.from(requests))
                if (request.taskId !== undefined)
                    sendElsewhere(request);
    }
    /** Resolves when all of them are over, or so are the milliseconds. */
    async whenNoneIsLeft(withinMs) {
        if (this.#bySession.size === 0 || withinMs <= 0)
            return;
        const none = new Promise((resolve) => this.#whenNone.add(resolve));
        await within(withinMs, none, () => undefined);
    }
    #remove(sessionId, request) {
        const open = this.#bySession.get(sessionId);
        open?.delete(request);
        if (open?.size === 0)
            this.#bySession.delete(sessionId);
        if (this.#bySession.size === 0)
            for (const resolve of this.#whenNone)
                resolve();
    }
}
function sendElsewhere(request) {
    request.sendElsewhere(taskLeft(request.taskId));
}
//# sourceMappingURL=open-requests.js.map