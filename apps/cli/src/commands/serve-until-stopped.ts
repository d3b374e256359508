import { once } from 'node:events';
import { type Cleanup, createCleanup } from '../processes/cleanup.js';
import { listenForStopSignals } from '../processes/stop-signals.js';
import type { Settings } from '../settings.js';
import { UserError } from '../user-error.js';
import type { Terminal } from '../terminal.js';

/** The parts that a serving command needs. */
export interface ServeOptions {
  readonly settings: Settings;
  readonly terminal: Terminal;
  /** Undone when it ends, the last first. */
  readonly cleanup: Cleanup;
  /** Aborts when the user stops it. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * Serves until the user stops it or it ends by itself, and then undoes everything.
 *
 * @param serve resolves with the failure, undefined when it was ended
 * @returns the exit code
 * @throws UserError with the failure
 */
export async function serveUntilStopped(
  settings: Settings,
  terminal: Terminal,
  serve: (options: ServeOptions) => Promise<string | undefined>,
): Promise<number> {
  const log = (line: string): void => terminal.err(`longhaul: ${line}`);
  for (const warning of settings.warnings) log(warning);
  const cleanup = createCleanup();
  const stop = listenForStopSignals(() => cleanup.insist());
  try {
    const failure = await serve({ settings, terminal, cleanup, signal: stop.signal, log });
    if (failure !== undefined) throw new UserError(failure);
  } catch (error) {
    // Work that a stop interrupts is no failure.
    if (!stop.signal.aborted) throw error;
  } finally {
    for (const failure of await cleanup.run()) log(`while ending: ${String(failure)}`);
    stop.dispose();
  }
  return 0;
}

/** Resolves when the signal aborts, at once if it has. */
export async function stopped(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, 'abort');
}
