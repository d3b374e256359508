/**
 * Limits how many messages of one connection are read in a second, so that a server that floods its own connection takes no time from those of
 * others. Nothing is dropped: what is not read yet waits at the server.
 */

/** More than any server sends that means well: one report of progress every two milliseconds. */
const PER_SECOND = 500;
/** That many may come at once, such as the log of a start. */
const BURST = 2_000;
/** A question costs more: it is answered. */
const OF_A_QUESTION = 10;

export class MessagePace {
  #left = BURST;
  #at: number;

  /** @param now milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#at = now();
  }

  /** A message was read, or a question that must be answered. */
  count(kind: 'message' | 'question' = 'message'): void {
    this.#left -= kind === 'question' ? OF_A_QUESTION : 1;
  }

  /** How long nothing more is read, milliseconds; 0 for a server that may continue. */
  get pauseMs(): number {
    const now = this.now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#at) * PER_SECOND) / 1_000);
    this.#at = now;
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1_000) / PER_SECOND);
  }
}
