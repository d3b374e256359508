/**
 * Counts durations in buckets, to tell how long most of them took. It takes a fixed amount of memory, and histograms of several processes
 * can be added up, which percentiles cannot.
 *
 * The bounds of the buckets grow by the fourth root of 2, so an answer is at most 19 % too long. After `MAX_COUNT` durations all counts are
 * halved: later durations count more than earlier ones.
 */

const BUCKETS_PER_DOUBLING = 4;
/** From 1 ms up; the last bucket, 32 doublings above, begins at seven weeks. */
const BUCKETS = 32 * BUCKETS_PER_DOUBLING + 1;
const MAX_COUNT = 10_000;

/** A histogram as plain JSON: pairs of a bucket and its count, for the buckets that are not empty. */
export type KeptDurations = readonly (readonly [bucket: number, count: number])[];

export class DurationHistogram {
  readonly #counts = new Map<number, number>();
  #count = 0;

  /** @param kept what `toJSON` gave; a bucket that does not exist is left out */
  static from(kept: KeptDurations): DurationHistogram {
    const made = new DurationHistogram();
    for (const [bucket, count] of kept)
      if (Number.isInteger(bucket) && bucket >= 0 && bucket < BUCKETS && count > 0) made.#put(bucket, count);
    return made;
  }

  /** How many durations it stands for now. */
  get count(): number {
    return this.#count;
  }

  /** Counts a duration, milliseconds. */
  record(ms: number): void {
    const doublings = Math.log2(Math.max(1, ms));
    this.#put(Math.min(BUCKETS - 1, Math.ceil(doublings * BUCKETS_PER_DOUBLING)), 1);
    if (this.#count > MAX_COUNT) this.#halve();
  }

  /** Adds what another one has counted. */
  add(other: DurationHistogram): void {
    for (const [bucket, count] of other.#counts) this.#put(bucket, count);
  }

  /**
   * How long a share of the durations took at most, whole milliseconds, such as 0.99 of them. It is undefined while there are none.
   */
  quantile(share: number): number | undefined {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let passed = 0;
    for (const [bucket, count] of [...this.#counts].toSorted(([one], [other]) => one - other)) {
      passed += count;
      if (passed >= rank) return Math.round(2 ** (bucket / BUCKETS_PER_DOUBLING));
    }
    return undefined;
  }

  toJSON(): KeptDurations {
    return [...this.#counts];
  }

  #put(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    this.#count += count;
  }

  #halve(): void {
    const before = this.toJSON();
    this.#counts.clear();
    this.#count = 0;
    for (const [bucket, count] of before) {
      const half = Math.floor(count / 2);
      if (half > 0) this.#put(bucket, half);
    }
  }
}
