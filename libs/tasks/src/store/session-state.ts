import type { Json } from '../domain/json.js';
import { checkKey, FIELD_LIMITS } from '../field-limits.js';

/**
 * Small values that live as long as a client's session, for features that have to remember something
 * between calls. Any gateway and any worker sees the same.
 */
export interface SessionState {
  /** The value, or `undefined` when there is none. */
  get(session: string, name: string): Promise<Json | undefined>;
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

/** The name that a feature gives to a value. @throws TaskError `INVALID_KEY` when it is too long */
export function checkedName(name: string): string {
  checkKey('The name of a session value', name, FIELD_LIMITS.sessionValueNameBytes);
  return name;
}
