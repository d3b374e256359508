/**
 * Waits through an outage of the store, for requests that wait for their task anyway. A request that found the store away looks again when
 * it answers. One look serves all waiting requests: commands that a stopped server leaves unanswered stay in memory until their connection
 * ends, so thousands of requests must not send one each.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { TaskError } from '../errors.js';

/** Short enough to continue well within two seconds of the store's return, and long enough to cost nothing while it is away. */
const PAUSE_MS = { first: 50, most: 500 };

/** The outages of one store. */
export class OutageRetry {
  #waiting = 0;
  /** The look that is under way. */
  #look: Promise<void> | undefined;

  /** @param ping resolves when the store answers */
  constructor(private readonly ping: () => Promise<void>) {}

  /**
   * Does something on the store, again and again until the store answers.
   *
   * @param work may run several times, also when the store has done it and the reply was lost
   * @throws the reason of `signal` once it aborts; the error of `work`, unless that is `STORE_UNAVAILABLE`
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal = NEVER): Promise<T> {
    for (let pauseMs = PAUSE_MS.first; ; pauseMs = longer(pauseMs)) {
      signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof TaskError && error.code === 'STORE_UNAVAILABLE')) throw error;
      }
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      await this.#untilBack(signal);
    }
  }

  /** Resolves when the store answers, and when the signal aborts. */
  async #untilBack(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#waiting += 1;
    this.#look ??= this.#lookForStore().finally(() => (this.#look = undefined));
    const left = Promise.withResolvers<void>();
    const leave = (): void => left.resolve();
    signal.addEventListener('abort', leave);
    await Promise.race([this.#look, left.promise]);
    signal.removeEventListener('abort', leave);
    this.#waiting -= 1;
  }

  async #lookForStore(): Promise<void> {
    for (let pauseMs = PAUSE_MS.first; this.#waiting > 0; pauseMs = longer(pauseMs)) {
      try {
        return await this.ping();
      } catch {
        await pause(pauseMs, undefined, { ref: false });
      }
    }
  }
}

const NEVER = new AbortController().signal;

function longer(pauseMs: number): number {
  return Math.min(2 * pauseMs, PAUSE_MS.most);
}
