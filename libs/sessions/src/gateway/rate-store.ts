/**
 * Limits how often something may be done, counted by all gateways together. A name may take a number of permits at once, and gets them back
 * evenly over the time of its rate.
 */

/** A number of permits in a number of milliseconds. */
export interface Rate {
  readonly limit: number;
  readonly perMs: number;
}

/** The action that is counted, and the name under which it is counted. */
export interface Rated {
  readonly what: string;
  readonly account: string;
}

/** The result of taking permits. */
export interface Taken {
  readonly taken: number;
  /** In how many milliseconds another permit is there, or all requested permits if it is all or none; 0 when all were taken. */
  readonly retryAfterMs: number;
}

/** Counts rates. Rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface RateStore {
  /**
   * Takes a number of permits, all or none; more than the limit counts as the limit.
   *
   * @returns 0 when they were taken, otherwise in how many milliseconds they will be there
   */
  take(rated: Rated, count: number, rate: Rate): Promise<number>;
  /** Takes as many permits as there are, up to the number. */
  takeSome(rated: Rated, count: number, rate: Rate): Promise<Taken>;
  /** Gives back permits that were taken in vain. */
  giveBack(rated: Rated, count: number, rate: Rate): Promise<void>;
}
