/** What a timer of Node can wait at most. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/**
 * Limits what runs with a signal by the machine's clock. What a replay has to repeat must not depend on it but within a step.
 *
 * @param ms Infinity for no limit
 */
export function limitedSignal(signal, ms) {
    if (ms === Infinity)
        return { signal, isOver: false, clear: () => undefined };
    const over = new AbortController();
    const abort = () => over.abort(new DOMException('The time of this run is over.', 'TimeoutError'));
    // A timer may fire a millisecond early. A task that is left by its worker never clears it, so it must not hold the process.
    const timer = setTimeout(abort, Math.min(ms + 1, LONGEST_TIMER_MS)).unref();
    const limited = AbortSignal.any([signal, over.signal]);
    return {
        signal: limited,
        get isOver() {
            return limited.reason === over.signal.reason && over.signal.aborted;
        },
        clear: () => clearTimeout(timer),
    };
}
//# sourceMappingURL=limited-signal.js.map