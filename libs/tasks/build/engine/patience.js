/**
 * Waiting through an outage of the store, for requests that wait for their task anyway. A request that found the
 * store away looks again when it answers. One look serves all that wait: commands that a stopped server leaves
 * unanswered stay in memory until their connection ends, so they must not be sent for each of thousands of requests.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { TaskError } from '../errors.js';
/** Short enough to go on well within two seconds of the store's return, and long enough to cost nothing meanwhile. */
const PAUSE_MS = { first: 50, most: 500 };
/** The outages of one store. */
export class Patience {
    ping;
    #waiting = 0;
    /** The look that is under way. */
    #look;
    /** @param ping resolves when the store answers */
    constructor(ping) {
        this.ping = ping;
    }
    /**
     * Does something on the store, again and again until the store answers.
     *
     * @param work may run several times, also when the store has done it and the reply was lost
     * @throws the reason of `signal` once it aborts; what `work` throws, unless that is `STORE_UNAVAILABLE`
     */
    async run(work, signal = NEVER) {
        for (let pauseMs = PAUSE_MS.first;; pauseMs = longer(pauseMs)) {
            signal.throwIfAborted();
            try {
                return await work();
            }
            catch (error) {
                if (!(error instanceof TaskError && error.code === 'STORE_UNAVAILABLE'))
                    throw error;
            }
            await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
            await this.#untilBack(signal);
        }
    }
    /** Resolves when the store answers, and when the signal aborts. */
    async #untilBack(signal) {
        if (signal.aborted)
            return;
        this.#waiting += 1;
        this.#look ??= this.#lookForStore().finally(() => (this.#look = undefined));
        const left = Promise.withResolvers();
        const leave = () => left.resolve();
        signal.addEventListener('abort', leave);
        await Promise.race([this.#look, left.promise]);
        signal.removeEventListener('abort', leave);
        this.#waiting -= 1;
    }
    async #lookForStore() {
        for (let pauseMs = PAUSE_MS.first; this.#waiting > 0; pauseMs = longer(pauseMs)) {
            try {
                return await this.ping();
            }
            catch {
                await pause(pauseMs, undefined, { ref: false });
            }
        }
    }
}
const NEVER = new AbortController().signal;
function longer(pauseMs) {
    return Math.min(2 * pauseMs, PAUSE_MS.most);
}
//# sourceMappingURL=patience.js.map