/** A module of its own: settings are read before anything large is loaded. */

/** How long a task waits while no worker is alive that knows its tool and whose code fits its record, milliseconds. */
export const DEFAULT_NO_WORKER_MS = 60_000;
