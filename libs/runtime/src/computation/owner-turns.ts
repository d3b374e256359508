/**
 * Slots that owners share. One owner never has all slots, so another owner finds a slot at once. Waiting owners get slots in rotation, so
 * that many waiting pages of one owner do not delay another owner's page.
 */

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}

export class OwnerTurns {
  #free: number;
  /** How many slots each owner has. */
  readonly #taken = new Map<string, number>();
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiting>();
  /** When each owner last got a slot: the larger, the later. */
  readonly #lastTurn = new Map<string, number>();
  #turns = 0;

  /** @param places at least two */
  constructor(private readonly places: number) {
    this.#free = places;
  }

  /**
   * Waits for a slot.
   *
   * @returns a function that gives the slot back; only its first call counts
   * @throws the reason of the signal if it aborts during the wait
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

  /**
   * Picks an owner with the fewest slots among those that may have another one; if several have equally few, the one that has waited
   * longest since its last slot.
   */
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

  /** Forgets an owner that neither has a slot nor waits for one. */
  #forget(owner: string): void {
    if (this.#takenBy(owner) > 0) return;
    for (const waiting of this.#waiting) if (waiting.owner === owner) return;
    this.#taken.delete(owner);
    this.#lastTurn.delete(owner);
  }
}
