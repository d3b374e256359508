/** The longest wait of a timer of Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Makes a signal that aborts with another one, or when a time limit ends. Its owner calls `clear`. */
export interface LimitedSignal {
  readonly signal: AbortSignal;
  /** Whether the time limit has ended. The other signal was aborted later, or not at all. */
  readonly isOver: boolean;
  clear(): void;
}

const timeIsOver = (): Error => new DOMException('The time of this run has expired.', 'TimeoutError');

/**
 * Limits what runs with a signal by the machine's clock. Within a step only: a value that a replay must repeat must not depend on it.
 *
 * @param ms Infinity for no limit
 * @param reasonOf makes the reason with which it aborts when the time limit ends
 */
export function limitedSignal(signal: AbortSignal, ms: number, reasonOf = timeIsOver): LimitedSignal {
  if (ms === Infinity) return { signal, isOver: false, clear: () => undefined };
  const over = new AbortController();
  const abort = (): void => over.abort(reasonOf());
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
