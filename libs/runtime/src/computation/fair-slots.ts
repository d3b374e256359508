/**
 * Slots that owners share. One owner never has all slots, so another owner finds a slot at once. Waiting owners get slots in rotation, so
 * that many waiting pages of one owner do not delay another owner's page.
 */

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}

export class FairSlots {
  #free: number;
  /** How many slots each owner has. */
  readonly #taken = new Map<string, number>();
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiting>();
  /** When each owner last got a slot: the larger, the later. */
  readonly #lastGiven = new Map<string, number>();
  #given = 0;

  /** @param slots at least two */
  constructor(private readonly slots: number) {
    this.#free = slots;
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
    this.#giveSlots();
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
    this.#giveSlots();
    this.#forget(owner);
  }

  #giveSlots(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { owner, begin } = next;
      this.#waiting.delete(next);
      this.#free -= 1;
      this.#taken.set(owner, this.#takenBy(owner) + 1);
      this.#lastGiven.set(owner, ++this.#given);
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
      if (this.#takenBy(waiting.owner) >= this.slots - 1) continue;
      if (next === undefined || this.#isBefore(waiting.owner, next.owner)) next = waiting;
    }
    return next;
  }

  #takenBy(owner: string): number {
    return this.#taken.get(owner) ?? 0;
  }

  #isBefore(owner: string, other: string): boolean {
    const more = this.#takenBy(owner) - this.#takenBy(other);
    return more === 0 ? (this.#lastGiven.get(owner) ?? 0) < (this.#lastGiven.get(other) ?? 0) : more < 0;
  }

  /** Forgets an owner that neither has a slot nor waits for one. */
  #forget(owner: string): void {
    if (this.#takenBy(owner) > 0) return;
    for (const waiting of this.#waiting) if (waiting.owner === owner) return;
    this.#taken.delete(owner);
    this.#lastGiven.delete(owner);
  }
}
