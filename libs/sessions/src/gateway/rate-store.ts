/**
 * How often something may be done, counted by all gateways together. A name may have so much at once, and gets it back
 * evenly over the time of its rate.
 */

/** So many in so many milliseconds. */
export interface Rate {
  readonly limit: number;
  readonly perMs: number;
}

/** What is counted, and of whom. */
export interface Rated {
  readonly what: string;
  readonly account: string;
}

/** What came of taking some. */
export interface Taken {
  readonly taken: number;
  /** In how many milliseconds there will be another one, or what was asked for all or none; 0 when all were taken. */
  readonly retryAfterMs: number;
}

/** Where it is counted. Rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface RateStore {
  /**
   * Takes so many of them, all or none; more than the limit counts as the limit.
   *
   * @returns 0 when they were taken, otherwise in how many milliseconds they will be there
   */
  take(rated: Rated, count: number, rate: Rate): Promise<number>;
  /** Takes as many of them as there are. */
  takeSome(rated: Rated, count: number, rate: Rate): Promise<Taken>;
  /** Gives back what was taken in vain. */
  giveBack(rated: Rated, count: number, rate: Rate): Promise<void>;
}
