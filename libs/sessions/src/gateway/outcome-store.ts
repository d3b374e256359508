/** How calls ended that may be asked for again, but must not run again. */
export interface OutcomeStore {
  /**
   * Begins the call of an id, unless it was begun before. It is remembered for `ttlMs`.
   *
   * @returns nothing when the call is the caller's to run; otherwise what was recorded, which is empty as long as it runs
   */
  begin(id: string, ttlMs: number): Promise<string | undefined>;
  /** Records how it ended, for as long as it is remembered. */
  record(id: string, outcome: string): Promise<void>;
}
