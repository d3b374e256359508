import { codeOf } from './recorded-error.js';
/**
 * When to try again after failed try number `attempt` (from 1), or `undefined` when it was the last.
 *
 * @param random from 0 to 1, drawn by the caller
 */
export function retryDelayMs(policy, attempt, random) {
    const { attempts = 1, initialMs = 1_000, factor = 2, maxMs = 60_000, jitter = 0.2 } = policy ?? {};
    if (attempt >= attempts)
        return undefined;
    const delay = Math.min(initialMs * factor ** (attempt - 1), maxMs);
    return Math.round(delay * (1 - jitter + jitter * random));
}
/** Whether trying again is of no use: the author said so, or it is a JSON-RPC error that belongs to the caller. */
export function isTerminal(thrown) {
    if (!(thrown instanceof Error))
        return false;
    if (thrown.name === 'TerminalError')
        return true;
    const code = codeOf(thrown);
    return typeof code === 'number' || code === 'NOT_SERIALIZABLE' || code === 'INVALID_KEY' || code === 'CLIENT_LACKS_CAPABILITY';
}
//# sourceMappingURL=retry-delay.js.map