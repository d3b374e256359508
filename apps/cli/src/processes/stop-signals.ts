/** From a first to a second signal of one keystroke: npm passes on the SIGINT that the terminal has sent to everyone. */
const SAME_KEYSTROKE_MS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What the user wants when the terminal or a supervisor says stop. */
export interface StopSignals {
  /** Aborts on the first signal. */
  readonly signal: AbortSignal;
  /** Back to the system's own behaviour. */
  dispose(): void;
}

/**
 * Listens for Ctrl-C, SIGTERM and the end of the terminal.
 *
 * @param insist called when the user asks again while the orderly end takes its time
 */
export function listenForStopSignals(insist: () => void): StopSignals {
  const controller = new AbortController();
  let firstAt: number | undefined;
  const listener = (): void => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      controller.abort();
    } else if (performance.now() - firstAt > SAME_KEYSTROKE_MS) insist();
  };
  for (const name of SIGNALS) process.on(name, listener);
  return {
    signal: controller.signal,
    dispose: () => {
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}
