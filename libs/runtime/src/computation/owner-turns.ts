/**
 * Places that owners share. One owner never has all of them, so another one finds a place at once; those who wait get places owner
 * by owner, so that many waiting pages of one do not decide how long another one's wait.
 */

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}

export class OwnerTurns {
  #free: number;
  /** How many places each owner has. */
  readonly #taken = new Map<string, number>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  /** Who got a place when: the larger, the later. */
  readonly #lastTurn = new Map<string, number>();
  #turns = 0;

  /** @param places two at least */
  constructor(private readonly places: number) {
    this.#free = places;
  }

  /**
   * Waits for a place.
   *
   * @returns a function that gives the place back; only its first call counts
   * @throws what the signal is aborted with while it waits
   */
  async enter(owner: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { owner, begin: resolve };
    const abort = (): void => {
      this.#waiting.delete(waiting);
      this.#forget(owner);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.add(waiting);
    this.#giveTurns();
    await promise.finally(() => signal.removeEventListener('abort', abort));
    let isInside = true;
    return () => {
      if (isInside) this.#leave(owner);
      isInside = false;
    };
  }

  #leave(owner: string): void {
    this.#free += 1;
    this.#taken.set(owner, this.#takenBy(owner) - 1);
    this.#giveTurns();
    this.#forget(owner);
  }

  #giveTurns(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { owner, begin } = next;
      this.#waiting.delete(next);
      this.#free -= 1;
      this.#taken.set(owner, this.#takenBy(owner) + 1);
      this.#lastTurn.set(owner, ++this.#turns);
      begin();
    }
  }

  /** Of the owners that may have another place, one with the fewest, and of those the one whose last turn is the longest ago. */
  #next(): Waiting | undefined {
    if (this.#free === 0) return undefined;
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (this.#takenBy(waiting.owner) >= this.places - 1) continue;
      if (next === undefined || this.#isBefore(waiting.owner, next.owner)) next = waiting;
    }
    return next;
  }

  #takenBy(owner: string): number {
    return this.#taken.get(owner) ?? 0;
  }

  #isBefore(owner: string, other: string): boolean {
    const more = this.#takenBy(owner) - this.#takenBy(other);
    return more === 0 ? (this.#lastTurn.get(owner) ?? 0) < (this.#lastTurn.get(other) ?? 0) : more < 0;
  }

  /** Nothing is kept of an owner that neither has a place nor waits for one. */
  #forget(owner: string): void {
    if (this.#takenBy(owner) > 0) return;
    for (const waiting of this.#waiting) if (waiting.owner === owner) return;
    this.#taken.delete(owner);
    this.#lastTurn.delete(owner);
  }
}
