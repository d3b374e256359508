import type { Json } from '../domain/json.js';

/**
 * Small values that live as long as a client's session, for features that have to remember something
 * between calls. Any gateway and any worker sees the same.
 */
export interface SessionState {
  /** The value, or `undefined` when there is none. */
  get(session: string, name: string): Promise<Json | undefined>;
  /** @throws TaskError `STORE_FULL` when there is no room for new values; so does `add` */
  set(session: string, name: string, value: Json): Promise<void>;
  /** Sets the value unless there is one. @returns whether it was set: of several at once, by one */
  add(session: string, name: string, value: Json): Promise<boolean>;
  /** @returns whether there was a value: of several at once, for one */
  delete(session: string, name: string): Promise<boolean>;
  /** The names of the values that begin with the prefix, sorted. */
  names(session: string, prefix: string): Promise<readonly string[]>;
  /** Keeps what there is for so long from now, milliseconds: whoever keeps the session keeps this too. */
  keep(session: string, ms: number): Promise<void>;
  /** Forgets everything of the session. */
  clear(session: string): Promise<void>;
}

/** Unless the backend is told otherwise, values are kept this long after the first one, or from the last `keep` on. */
export const SESSION_STATE_TTL_MS = 24 * 3_600_000;
