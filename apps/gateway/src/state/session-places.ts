/**
 * How many sessions an account has open, at all gateways together. A place is taken before its session is stored, lasts as long as
 * that does without use, and is put off with it; so one whose process dies in between is free again after that time.
 */

/** All methods reject with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface SessionPlaces {
  /** Takes a place for a session. @returns false when the account has as many */
  take(account: string, sessionId: string, limit: number): Promise<boolean>;
  /** Keeps the place of a session for so long from now, milliseconds; nothing if it has none. */
  keep(sessionId: string, ms: number): Promise<void>;
  /** Frees the place of a session. */
  release(sessionId: string): Promise<void>;
}
