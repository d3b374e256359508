import type { Json } from '../domain/json.js';

/**
 * Small values that live as long as a client's session, for features that have to remember something
 * between calls. Any gateway and any worker sees the same.
 */
export interface SessionState {
  /** The value, or `undefined` when there is none. */
  get(session: string, name: string): Promise<Json | undefined>;
  set(session: string, name: string, value: Json): Promise<void>;
  delete(session: string, name: string): Promise<void>;
  /** Forgets everything of the session. */
  clear(session: string): Promise<void>;
}

/** Values are kept this long after the session's last change of any of them. */
export const SESSION_STATE_TTL_MS = 24 * 3_600_000;
