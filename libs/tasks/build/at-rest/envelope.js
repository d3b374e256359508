/**
 * An encrypted value: `v1.<id of the data key>.<iv, tag and ciphertext in base64url>`, AES-256-GCM. Its key is derived from the data
 * key, one for each group of things (tasks, sessions), so that the number of values under one key stays far below what random
 * initialization vectors allow (2^32), and few keys are derived often. Kind and id of the thing, field and version are associated data,
 * and the tenant goes into the key: a value that was moved does not open.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes, randomFillSync } from 'node:crypto';
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const FORM = /^v1\.([\w-]{16})\.([\w-]+)$/;
/** In which group a thing is: hundreds to thousands of groups, as ids end at random. */
export function groupOf({ id }) {
    return id.slice(-2);
}
/** Derives the key of a group of things. */
export function placeKeyOf({ id: dataKeyId, secret, scope }, kind, group) {
    const derived = createHmac('sha256', secret)
        .update(JSON.stringify([scope, kind, group]))
        .digest();
    return { dataKeyId, secret: createSecretKey(derived) };
}
/** Of a new data key. */
export function newSecret() {
    return createSecretKey(randomBytes(KEY_BYTES));
}
/** The parts of an encrypted value; nothing for a text that is none. */
export function partsOf(text) {
    const [, keyId, body] = FORM.exec(text) ?? [];
    return keyId === undefined || body === undefined ? undefined : { keyId, body };
}
/** Encrypts a text for a place, by the key of the place. */
export function sealText(key, text, place) {
    return `v1.${key.dataKeyId}.${encrypted(key.secret, text, dataOf(place)).toString('base64url')}`;
}
/** @returns undefined for what was not encrypted by the key for the place */
export function openText({ secret }, body, place) {
    return decrypted(secret, Buffer.from(body, 'base64url'), dataOf(place))?.toString();
}
/** The same for the same text, and to whom lacks the key it says nothing of it. */
export function keyedDigest(key, text) {
    const digestKey = createHmac('sha256', key.secret).update('longhaul digests').digest();
    return createHmac('sha256', digestKey).update(text).digest('base64url');
}
/** Encrypts bytes together with data that has to be the same when they are decrypted. */
export function encrypted(key, plain, associated) {
    const iv = newVector();
    const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(associated));
    const sealed = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
    cipher.final();
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}
/** Initialization vectors that were drawn and not used yet: to draw each by itself takes as long as to encrypt with it. */
const vectors = Buffer.alloc(IV_BYTES * 512);
let nextVector = vectors.length;
function newVector() {
    if (nextVector === vectors.length) {
        randomFillSync(vectors);
        nextVector = 0;
    }
    return vectors.subarray(nextVector, (nextVector += IV_BYTES));
}
/** @returns undefined for anything else than what `encrypted` has made with the same key and data */
export function decrypted(key, bytes, associated) {
    if (bytes.length < IV_BYTES + TAG_BYTES)
        return undefined;
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(associated)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const plain = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    try {
        decipher.final();
    }
    catch {
        return undefined; // Changed, or encrypted for another place or by another key.
    }
    return plain;
}
function dataOf({ kind, id, field, version }) {
    return JSON.stringify([kind, id, field, version]);
}
//# sourceMappingURL=envelope.js.map