/**
 * How fields are logged. Where nobody has to say who they are, the id of a task is all that it takes to read and to cancel
 * it, so that logs have a hash in its place: equal for the same task, and of no use to anyone else.
 */
import { createHash } from 'node:crypto';

const HASH_LENGTH = 12;

/** The first characters of the id's SHA-256, in hexadecimal. */
function hashOf(taskId: unknown): string {
  return createHash('sha256').update(String(taskId)).digest('hex').slice(0, HASH_LENGTH);
}

/** For the `serializers` of a logger. */
export const LOG_FIELDS = { taskId: hashOf } as const;
