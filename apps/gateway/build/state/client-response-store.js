/**
 * Answers of clients, as JSON, on their way to the gateway that waits for them. They are kept for a time only: when
 * nobody waits any more, nobody has to remember to remove them.
 */
/** The gateway looks every few seconds. What it has not taken by then it does not wait for. */
export const RESPONSE_TTL_MS = 60_000;
//# sourceMappingURL=client-response-store.js.map