/** The longest time between two signals of one keystroke: npm passes on the SIGINT that the terminal has sent to all processes. */
export const SAME_KEYSTROKE_MS = 500;

/** How often to look whether npm's shell still waits. */
const PARENT_CHECK_MS = 250;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The user's request when the terminal or a supervisor says stop. */
export interface StopSignals {
  /** Aborts on the first signal. */
  readonly signal: AbortSignal;
  /** Back to the system's own behaviour. */
  dispose(): void;
}

/**
 * npm passes a SIGTERM on to its shell, and the shell dies of it without a word to its child. So under npm, and only
 * there, the loss of the parent means the same as the signal.
 *
 * @returns ends the watch
 */
export function watchNpmShell(onLoss: () => void): () => void {
  if (process.env['npm_lifecycle_event'] === undefined) return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onLoss();
  }, PARENT_CHECK_MS).unref();
  return () => clearInterval(timer);
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
  const unwatch = watchNpmShell(() => controller.abort());
  return {
    signal: controller.signal,
    dispose: () => {
      unwatch();
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}
