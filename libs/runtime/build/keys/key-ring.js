/**
 * The keys of a deployment. What is signed, sealed or encrypted names its key by an id, so that a key can be replaced while what
 * the old one has made is still taken. Each use has a key of its own, derived from the secret.
 */
import { createSecretKey, hkdfSync } from 'node:crypto';
const KEY_BYTES = 32;
const ID_BYTES = 6;
/** Characters of the id of a key, which are those of base64url. */
export const KEY_ID_LENGTH = 8;
/**
 * @param secret makes what is new; the same in all processes of a deployment
 * @param oldSecrets what they have made is still taken
 */
export function createKeyRing(secret, oldSecrets = []) {
    const current = keyOf(secret);
    const keys = new Map([current, ...oldSecrets.map(keyOf)].map((key) => [key.id, key]));
    keys.set(current.id, current);
    return { current, keys: [...keys.values()], key: (id) => keys.get(id) };
}
/** A ring that writes as the first one does, and reads with the keys of both. */
export function joinKeyRings(first, other) {
    return { current: first.current, keys: [...first.keys, ...other.keys], key: (id) => first.key(id) ?? other.key(id) };
}
function keyOf(given) {
    const secret = typeof given === 'string' ? given : given.secret;
    const derived = new Map();
    const id = derive(secret, 'key id', ID_BYTES).toString('base64url');
    return {
        id,
        name: typeof given === 'string' ? id : given.name,
        of(use) {
            const key = derived.get(use) ?? createSecretKey(derive(secret, use, KEY_BYTES));
            derived.set(use, key);
            return key;
        },
    };
}
function derive(secret, use, bytes) {
    return Buffer.from(hkdfSync('sha256', secret, '', `longhaul ${use}`, bytes));
}
//# sourceMappingURL=key-ring.js.map