import { FIELD_LIMITS, type Json, type Milliseconds, type SessionValueStore, TaskError, tooLong } from '@longhaul/tasks';

/**
 * Stores small values that live as long as a client's session, for features that must remember something between calls. All gateways and
 * workers see the same values. `set` and `add` throw TaskError `NOT_SERIALIZABLE` for a value that is too large, and `SESSION_FULL` when
 * the session, or all sessions of its account, hold as much as they may.
 */
export interface SessionState extends SessionValueStore {
  /**
   * @param account the account under which the bytes of the value are counted. @defaultValue the session itself
   * @throws TaskError `STORE_FULL` when the store has no room for new values; `add` throws it too
   */
  set(session: string, name: string, value: Json, account?: string): Promise<void>;
  /** Sets the value unless there is one. @returns whether it was set: of several at once, by one */
  add(session: string, name: string, value: Json, account?: string): Promise<boolean>;
  /** The names of the values that begin with the prefix, sorted. */
  names(session: string, prefix: string): Promise<readonly string[]>;
  /** Keeps all values for this long from now, milliseconds: the caller that keeps the session keeps its values too. */
  keep(session: string, ms: Milliseconds): Promise<void>;
  /** Forgets everything of the session. */
  clear(session: string): Promise<void>;
}

/** Unless the store has another setting, values are kept this long after the first one, or from the last `keep` on. */
export const SESSION_STATE_TTL_MS = 24 * 3_600_000;

/** The JSON of a value. @throws TaskError `NOT_SERIALIZABLE` when it is too large */
export function valueText(value: Json): string {
  const json = JSON.stringify(value);
  const problem = tooLong('The JSON of a session value', json, FIELD_LIMITS.sessionValueBytes);
  if (problem !== undefined) throw new TaskError('NOT_SERIALIZABLE', `${problem}.`);
  return json;
}

/** The error of an account with sessions that hold as many bytes as they may. */
export function accountFull(maxBytes: number): TaskError {
  const freed = 'end sessions, unsubscribe, or remove what they keep';
  return new TaskError(
    'SESSION_FULL',
    `The sessions of one caller, or of one address, hold at most ${maxBytes} bytes of names and values: ${freed}.`,
  );
}

/** The error of a session that holds as many values, or as many bytes, as it may. */
export function sessionFull(what: 'too-many' | 'too-large'): TaskError {
  const { sessionValues, sessionBytes } = FIELD_LIMITS;
  const limit = what === 'too-many' ? `${sessionValues} values` : `${sessionBytes} bytes of names and values`;
  return new TaskError('SESSION_FULL', `A session holds at most ${limit}.`);
}
