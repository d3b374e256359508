/**
 * Stores answers of clients, as JSON, for the gateway that waits for them. They are kept for a limited time only: when no gateway waits any
 * more, they expire by themselves.
 */
/** The gateway looks every few seconds. If it has not taken an answer by then, it no longer waits for it. */
export const RESPONSE_TTL_MS = 60_000;

/** A request that was sent to a session. */
export interface AskedRequest {
  readonly sessionId: string;
  readonly requestId: string;
}

/**
 * Stores answers where all gateways see them. Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface ClientResponseStore {
  /** If a request gets several answers, the first one counts. */
  put(request: AskedRequest, answer: string): Promise<void>;
  /** Removes the answer. */
  take(request: AskedRequest): Promise<string | undefined>;
}
