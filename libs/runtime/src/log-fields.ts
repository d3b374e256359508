/**
 * Defines how fields are logged. Without authentication, the id of a task suffices to read and to cancel it. So logs contain a hash
 * instead: equal for the same task, and useless to anyone else. An owner may be a session's id. Lines that are not written compute no hash.
 */
import { hash } from 'node:crypto';

const HASH_LENGTH = 12;

/** The first characters of the text's SHA-256, in hexadecimal. */
export function hashOf(text: unknown): string {
  return hash('sha256', String(text), 'hex').slice(0, HASH_LENGTH);
}

/** For the `serializers` of a logger. */
export const LOG_FIELDS = { taskId: hashOf, owner: hashOf } as const;
