/**
 * Handles Ctrl-C of a user who talks with an agent. It cancels the running work, and leaves when nothing runs, or nothing else is left to
 * cancel.
 */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { untilAborted } from '@longhaul/runtime/until-aborted';
import { SAME_KEYSTROKE_MS, watchNpmShell } from '../../processes/stop-signals.js';

/** The part that the user wants to end. */
export interface Interrupts {
  /** Aborts when the user leaves. */
  readonly leaving: AbortSignal;
  /** Ctrl-C, where the terminal does not make a signal of it. */
  press(): void;
  /**
   * Runs what the next Ctrl-C shall cancel.
   *
   * @param endMs how long it may take to end when the user leaves, milliseconds
   */
  during<T>(body: (signal: AbortSignal) => Promise<T>, endMs?: number): Promise<T>;
  /** Back to the system's own behaviour. */
  dispose(): void;
}

/** The reason of the signals. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** @param insist called when the user asks again while leaving takes its time */
export function listenForInterrupts(insist: () => void): Interrupts {
  const leaving = new AbortController();
  let running: AbortController | undefined;
  let signalledAt = -Infinity;
  const leave = (): void => {
    running?.abort(new Cancelled('The user has left.'));
    if (leaving.signal.aborted) insist();
    leaving.abort(new Cancelled('The user has left.'));
  };
  const press = (): void => {
    if (running === undefined || running.signal.aborted) leave();
    else running.abort(new Cancelled('The user has cancelled it.'));
  };
  const onInterrupt = (): void => {
    if (performance.now() - signalledAt <= SAME_KEYSTROKE_MS) return;
    signalledAt = performance.now();
    press();
  };
  process.on('SIGINT', onInterrupt);
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, leave);
  const unwatch = watchNpmShell(leave);
  return {
    leaving: leaving.signal,
    press,
    async during<T>(body: (signal: AbortSignal) => Promise<T>, endMs = 0) {
      leaving.signal.throwIfAborted();
      running = new AbortController();
      const result = body(running.signal);
      result.catch(() => undefined);
      try {
        return await untilAborted(result, leaving.signal);
      } catch (error) {
        if (!leaving.signal.aborted) throw error;
        // Work that ends at once by its own signal reports its progress. A user who leaves does not wait for the rest.
        const none = Symbol('none');
        const first = await Promise.race([result, endMs === 0 ? nextTurn(none) : delay(endMs, none, { ref: false })]);
        if (first === none) throw error;
        return first as T;
      } finally {
        running = undefined;
      }
    },
    dispose() {
      unwatch();
      process.off('SIGINT', onInterrupt);
      for (const name of ['SIGTERM', 'SIGHUP'] as const) process.off(name, leave);
    },
  };
}
