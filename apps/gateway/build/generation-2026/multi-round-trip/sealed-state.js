/**
 * The `requestState` of multi round-trip requests: what a gateway wants to know when the client comes back,
 * encrypted and authenticated, so that the client can neither read nor change it, and any gateway with the
 * same key ring can open it. It holds for one caller and one call, for a limited time.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { invalidParams } from '../../rpc/errors.js';
import { KEY_ID_LENGTH } from '@longhaul/runtime/keys';
const ALGORITHM = 'aes-256-gcm';
const USE = 'request state';
const FORM = new RegExp(`^([\\w-]{${KEY_ID_LENGTH}})\\.([\\w-]+)$`);
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Unless requests are limited to less. */
const MAX_CHARACTERS = 1024 * 1024;
/** The part of a request that the state may be; the rest is for the arguments and the next answers. */
const PART_OF_BODY = 0.75;
/** @param ring shared by all gateways of a deployment */
export function createStateSeal(ring, options) {
    const { clock = Date.now, keptMs, bodyLimitBytes = Infinity } = options;
    const maxCharacters = Math.min(MAX_CHARACTERS, Math.floor(bodyLimitBytes * PART_OF_BODY));
    return {
        seal(state, call, leastMs = 0) {
            const { current: key } = ring;
            const iv = randomBytes(IV_BYTES);
            const cipher = createCipheriv(ALGORITHM, key.of(USE), iv).setAAD(bindingOf(call));
            const text = JSON.stringify({ ...state, expiresAt: clock() + Math.max(keptMs, leastMs) });
            const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
            const sealedText = `${key.id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
            if (sealedText.length > maxCharacters)
                throw invalidParams(`inputResponses: too long together; the requestState with the answers so far would have ${sealedText.length} characters, and at most ${maxCharacters} are possible`);
            return sealedText;
        },
        open(text, call) {
            if (text.length > maxCharacters)
                return undefined;
            const [, id = '', sealed = ''] = FORM.exec(text) ?? [];
            const key = ring.key(id);
            const bytes = Buffer.from(sealed, 'base64url');
            if (key === undefined || bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed)
                return undefined;
            const plain = decrypted(bytes, key.of(USE), bindingOf(call));
            if (plain === undefined)
                return undefined;
            const { expiresAt, ...state } = JSON.parse(plain);
            return expiresAt > clock() ? state : undefined;
        },
    };
}
function decrypted(bytes, key, binding) {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(binding).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
    }
    catch {
        return undefined; // Changed, or sealed for another call or by another secret.
    }
}
function bindingOf({ owner, method, params }) {
    const { name, uri, arguments: args } = params;
    return createHash('sha256')
        .update(JSON.stringify([owner, method, name ?? uri, sortedMembers(args ?? {})]))
        .digest();
}
/**
 * The same for the same values, in any order of the members. In these bytes all gateways of a deployment agree, also while it
 * is upgraded, so they are not left to a library for canonical JSON, which writes others.
 */
function sortedMembers(value) {
    if (typeof value !== 'object' || value === null)
        return value;
    if (Array.isArray(value))
        return value.map(sortedMembers);
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return { members: members.map(([name, member]) => [name, sortedMembers(member)]) };
}
//# sourceMappingURL=sealed-state.js.map