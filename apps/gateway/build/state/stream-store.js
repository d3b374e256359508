/** Entries that a log keeps, about: enough for a client that is away for minutes while progress is reported ten times a second. */
export const MAX_LOG_ENTRIES = 1_000;
/** How long an unfinished stream is kept without use: a client that comes back later than that has to send its request again. */
export const UNFINISHED_TTL_MS = 5 * 60_000;
/** How long a finished one is: a client that missed the end of it comes back at once or after its back-off. */
export const FINISHED_TTL_MS = 60_000;
//# sourceMappingURL=stream-store.js.map