/**
 * The places that this process has of a limit, for calls at the same time. The store divides them among the processes of the deployment
 * (`Allotments`); a call that finds a place here needs no command. While another process has too few, unused places are given back at once,
 * and those above the fair share as their calls end. While the store cannot be reached, this process may use as many as the limit says.
 */
import type { Allotment, AllotmentRequest } from '@longhaul/sessions';

/** There was no place within the time. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

export interface SharedPlacesOptions {
  readonly limit: number;
  /** Asks the store. */
  readonly take: (wish: Pick<AllotmentRequest, 'limit' | 'used' | 'wanted'>) => Promise<Allotment>;
  /** Has the other processes look again: this one needs places, or has given some back. Never throws. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

export class SharedPlaces {
  #given: Allotment = { places: 0, fair: 0, isShort: false };
  /** Whether the store knows what is given. */
  #isKnown = false;
  #used = 0;
  /** Most that were used since the last look. */
  #peak = 0;
  #looking: Promise<void> | undefined;
  /** Whether another look has to follow, and whether it is for calls that wait here. */
  #next: { isNeeded: boolean } | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly options: SharedPlacesOptions) {}

  /** How many calls wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether nothing is used, wanted or kept here. */
  get isIdle(): boolean {
    return this.#used === 0 && this.#waiting.length === 0 && this.#looking === undefined && this.#given.places === 0;
  }

  /**
   * Waits for a place.
   *
   * @param waitMs the longest wait; it ends by itself only
   * @returns a function that gives the place back; only its first call counts
   * @throws NoPlace; the reason of the signal
   */
  async enter(signal: AbortSignal, waitMs?: number): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waiting.length === 0 && this.#mayEnter) this.#enter();
    else await this.#wait(signal, waitMs);
    let isInside = true;
    return () => {
      if (isInside) this.#leave();
      isInside = false;
    };
  }

  /**
   * Asks the store again: regularly, and when another process has changed something. Never rejects.
   *
   * @param isNeeded whether the others are to hear of calls that still wait then
   */
  look(isNeeded: boolean): Promise<void> {
    this.#next = { isNeeded: isNeeded || this.#next?.isNeeded === true };
    this.#looking ??= this.#lookUntilKnown().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  get #mayEnter(): boolean {
    const { places, fair, isShort } = this.#given;
    return this.#used < (isShort ? Math.min(places, fair) : places);
  }

  #enter(): void {
    this.#used += 1;
    this.#peak = Math.max(this.#peak, this.#used);
  }

  #leave(): void {
    this.#used -= 1;
    this.#admit();
    if (this.#given.isShort && this.#used < this.#given.places) void this.look(false);
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#mayEnter) {
      this.#enter();
      this.#waiting.shift()?.();
    }
  }

  async #wait(signal: AbortSignal, waitMs: number | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (reason: unknown): void => {
      const at = this.#waiting.indexOf(resolve);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(reason);
    };
    const onAbort = (): void => leave(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(resolve);
    const timer = waitMs === undefined ? undefined : setTimeout(() => leave(new NoPlace()), waitMs);
    void this.look(true);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #lookUntilKnown(): Promise<void> {
    for (let next = this.#next; next !== undefined; next = this.#next) {
      this.#next = undefined;
      await this.#ask(next.isNeeded);
    }
  }

  async #ask(isNeeded: boolean): Promise<void> {
    const { limit, take, onChange, onError } = this.options;
    const before = this.#given;
    const needed = this.#used + this.#waiting.length;
    const mayKeep = this.#isKnown && !before.isShort;
    const kept = mayKeep ? Math.max(this.#used, Math.min(before.places, Math.max(needed, this.#peak))) : this.#used;
    // More will come where some wait.
    const growing = this.#waiting.length > 0 && !before.isShort ? 2 * needed : needed;
    this.#peak = this.#used;
    // A place that is given back may be another's before the answer comes.
    this.#given = { ...before, places: kept };
    try {
      this.#given = await take({ limit, used: kept, wanted: Math.max(kept, Math.min(limit, growing)) });
      this.#isKnown = true;
    } catch (error) {
      this.#given = { places: limit, fair: limit, isShort: false };
      this.#isKnown = false;
      onError(error);
    }
    this.#admit();
    const hasGivenBack = this.#given.isShort && this.#given.places < before.places;
    if (hasGivenBack || (isNeeded && this.#waiting.length > 0)) onChange();
  }
}
