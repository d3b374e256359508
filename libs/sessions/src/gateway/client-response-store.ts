/**
 * Answers of clients, as JSON, on their way to the gateway that waits for them. They are kept for a time only: when
 * nobody waits any more, nobody has to remember to remove them.
 */
/** The gateway looks every few seconds. What it has not taken by then it does not wait for. */
export const RESPONSE_TTL_MS = 60_000;

/** A request that a session was sent. */
export interface AskedRequest {
  readonly sessionId: string;
  readonly requestId: string;
}

/** Where answers are seen by all. Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface ClientResponseStore {
  /** Of several answers to a request the first one counts. */
  put(request: AskedRequest, answer: string): Promise<void>;
  /** Removes the answer. */
  take(request: AskedRequest): Promise<string | undefined>;
}
