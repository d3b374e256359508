import type { Json } from '../domain/json.js';
import { checkKey, FIELD_LIMITS } from '../field-limits.js';

/** Stores the values that features remember for sessions, as far as tasks need them. */
export interface SessionValueStore {
  /** The value, or `undefined` when there is none. */
  get(session: string, name: string): Promise<Json | undefined>;
  /** @param account under whom the bytes of the value are counted. @defaultValue the session itself */
  set(session: string, name: string, value: Json, account?: string): Promise<void>;
  /** @returns whether there was a value; of several calls at once, one gets true */
  delete(session: string, name: string): Promise<boolean>;
}

/** The name that a feature gives to a value. @throws TaskError `INVALID_KEY` when it is too long */
export function checkedName(name: string): string {
  checkKey('The name of a session value', name, FIELD_LIMITS.sessionValueNameBytes);
  return name;
}
