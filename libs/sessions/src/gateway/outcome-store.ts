/** Records the results of calls that may be requested again, but must not run again. */
export interface OutcomeStore {
  /**
   * Begins the call of an id, unless it was begun before. It is remembered for `ttlMs`.
   *
   * @returns nothing when the caller must run the call; otherwise the recorded result, which is empty as long as the call runs
   */
  begin(id: string, ttlMs: number): Promise<string | undefined>;
  /** Records the result, for as long as the call is remembered. */
  record(id: string, outcome: string): Promise<void>;
}
