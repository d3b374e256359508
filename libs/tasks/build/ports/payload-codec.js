/**
 * How payloads are written where they are kept. Adapters pass each through a codec: as it is, or encrypted (`at-rest/encryption.ts`). What
 * scripts, indexes and operators' lists read stays plain: ids, versions, times, owners, tools, statuses, sizes.
 */
import { createHash } from 'node:crypto';
import { TaskError } from '../errors.js';
/** What every encrypted value begins with. No JSON does. */
const ENCRYPTED = 'v1.';
/** Whether a text is an encrypted value. */
export function isEncrypted(text) {
    return text.startsWith(ENCRYPTED);
}
/** Writes what is not encrypted. */
export const AS_IT_IS = (text) => text;
/** Who has a text in mind can see whether it is that one. */
export const plainDigest = (text) => createHash('sha256').update(text).digest('base64url');
/** Without keys: everything is written as it is. */
export const PLAIN = {
    sealFor: () => AS_IT_IS,
    open(text) {
        if (isEncrypted(text))
            throw new TaskError('KEY_MISSING', 'The value is encrypted, and this process has no keys: set LONGHAUL_KEYS.');
        return text;
    },
    digestsFor: () => [plainDigest],
};
/** Goes on with a value that is there already, or soon. Without a promise nothing is put off. */
export function whenReady(value, goOn) {
    return value instanceof Promise ? value.then((ready) => goOn(ready)) : goOn(value);
}
/** That something else is at a place than was written there. */
export function notGenuine({ kind, id, field, version }) {
    const at = version === undefined ? '' : ` in version ${version}`;
    const [name] = field.split(' ');
    return new TaskError('VALUE_NOT_GENUINE', `"${name}" of ${kind} ${id}${at} is not what was written there: something else has changed or moved it.`);
}
//# sourceMappingURL=payload-codec.js.map