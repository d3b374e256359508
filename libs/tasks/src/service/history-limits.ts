/** A module of its own: settings are read before anything large is loaded. */

/** What the history of one task may take, bytes. */
export const DEFAULT_MAX_HISTORY_BYTES = 64 * 1024 * 1024;
