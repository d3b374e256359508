/**
 * How fields are logged. Where nobody has to say who they are, the id of a task is all that it takes to read and to cancel
 * it, so that logs have a hash in its place: equal for the same task, and of no use to anyone else. An owner may be a session's id.
 * Lines that are not written cost no hash.
 */
import { hash } from 'node:crypto';
const HASH_LENGTH = 12;
/** The first characters of the text's SHA-256, in hexadecimal. */
export function hashOf(text) {
    return hash('sha256', String(text), 'hex').slice(0, HASH_LENGTH);
}
/** For the `serializers` of a logger. */
export const LOG_FIELDS = { taskId: hashOf, owner: hashOf };
//# sourceMappingURL=log-fields.js.map