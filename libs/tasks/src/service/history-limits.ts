/** A module of its own, and an entry of the package: settings are read before anything large is loaded. */

/** What the history of one task may take, bytes. */
export const DEFAULT_MAX_HISTORY_BYTES = 64 * 1024 * 1024;

/** How long the events before a task was continued as new are kept for operators, milliseconds. */
export const DEFAULT_KEEP_CONTINUED_MS = 3_600_000;

/** What the histories of all tasks of one owner may take, bytes. */
export const DEFAULT_MAX_OWNER_BYTES = 256 * 1024 * 1024;
