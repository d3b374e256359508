/**
 * Calls each registered item once in each interval, with one timer for all items and spread over the interval: a timer for each of
 * thousands of silent streams would cost more than the streams.
 */
const SLICES = 16;

export class KeepAlive<T> {
  readonly #slices = Array.from({ length: SLICES }, () => new Set<T>());
  #timer: NodeJS.Timeout | undefined;
  #now = 0;
  #next = 0;

  constructor(
    private readonly everyMs: number,
    private readonly call: (item: T) => void,
  ) {}

  /** @returns a function that removes the item again */
  add(item: T): () => void {
    const slice = this.#slices[this.#next];
    this.#next = (this.#next + 1) % SLICES;
    slice?.add(item);
    this.#timer ??= setInterval(() => this.#turn(), this.everyMs / SLICES).unref();
    return () => void slice?.delete(item);
  }

  get size(): number {
    return this.#slices.reduce((size, slice) => size + slice.size, 0);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const slice of this.#slices) yield* slice;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #turn(): void {
    this.#now = (this.#now + 1) % SLICES;
    for (const item of this.#slices[this.#now] ?? []) this.call(item);
  }
}
