import { ConnectionLostError } from '../errors.js';
/** Bridges a good minute without a server. */
export const DEFAULT_RETRIES = { attempts: 20, initialDelayMs: 200, maxDelayMs: 5_000 };
/**
 * Repeats what failed because of the connection.
 *
 * @param mayRepeat whether doing it again is safe after this error
 * @param signal ends the waiting between two attempts
 */
export async function withRetries(policy, mayRepeat, signal, attempt) {
    for (let made = 1;; made++) {
        try {
            return await attempt();
        }
        catch (error) {
            if (!(error instanceof ConnectionLostError) || made >= policy.attempts || !mayRepeat(error))
                throw error;
            await pause(delayMs(policy, made), signal);
        }
    }
}
/** How long to wait after so many failures. */
export function delayMs({ initialDelayMs, maxDelayMs }, failures) {
    return Math.min(maxDelayMs, initialDelayMs * 2 ** (failures - 1));
}
/**
 * Waits.
 *
 * @throws the reason of the signal, as soon as it is aborted
 */
async function pause(ms, signal) {
    signal?.throwIfAborted();
    const over = Promise.withResolvers();
    const timer = setTimeout(over.resolve, ms);
    const abort = () => over.reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
        await over.promise;
    }
    finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
    }
}
//# sourceMappingURL=retries.js.map