/** The codec that encrypts: one data key for each tenant, which a process reads once, and puts back when the store has lost it. */
import { keyScopeOf } from '../domain/owner-names.js';
import { AS_IT_IS, isEncrypted, notGenuine, PLAIN, plainDigest, whenReady, } from '../ports/payload-codec.js';
import { remembered } from '../remembered.js';
import { DataKeys } from './data-keys.js';
import { groupOf, keyedDigest, openText, partsOf, placeKeyOf, sealText } from './envelope.js';
/** Derived keys that a process keeps in memory. */
const MAX_DERIVED = 20_000;
/** Both parts of a backend that payloads at rest need. @param encryption absent where payloads are kept as they are */
export function openAtRest(dataKeys, encryption) {
    return { dataKeys, codec: codecOf(dataKeys, encryption) };
}
/** The codec of a store. @param encryption absent where payloads are kept as they are */
export function codecOf(store, encryption) {
    return encryption === undefined ? PLAIN : createEncryption({ ...encryption, store });
}
function createEncryption({ scopeOf = keyScopeOf, writes = true, ...deps }) {
    const keys = new DataKeys(deps);
    // To derive a key takes as long as to encrypt with it.
    const derived = remembered(MAX_DERIVED, (_name, key, kind, group) => placeKeyOf(key, kind, group));
    const keyAt = (key, place) => {
        const group = groupOf(place);
        return derived(`${key.id} ${place.kind} ${group}`, key, place.kind, group);
    };
    return {
        sealFor(owner) {
            if (!writes)
                return AS_IT_IS;
            return whenReady(keys.ofScope(scopeOf(owner)), ([current]) => (text, place) => sealText(keyAt(current, place), text, place));
        },
        open(text, place) {
            if (!isEncrypted(text))
                return text;
            const parts = partsOf(text);
            if (parts === undefined)
                throw notGenuine(place);
            return whenReady(keys.byId(parts.keyId), (key) => {
                const plain = openText(keyAt(key, place), parts.body, place);
                if (plain === undefined)
                    throw notGenuine(place);
                return plain;
            });
        },
        digestsFor(owner) {
            return whenReady(keys.ofScope(scopeOf(owner)), (all) => {
                const keyed = all.map((key) => (text) => keyedDigest(key, text));
                return writes ? [...keyed, plainDigest] : [plainDigest, ...keyed];
            });
        },
    };
}
//# sourceMappingURL=encryption.js.map