/**
 * Makes the codec that encrypts: it has one data key for each tenant, which a process reads once, and puts back when the store has lost it.
 */
import { keyScopeOf } from '../domain/owner-names.js';
import type { DataKeyStore } from '../ports/data-keys.js';
import {
  AS_IT_IS,
  type Digest,
  isEncrypted,
  notGenuine,
  PLAIN,
  plainDigest,
  type PayloadCodec,
  type Place,
  type Seal,
  whenReady,
} from '../ports/payload-codec.js';
import { remembered } from '../remembered.js';
import { DataKeys, type DataKeysDeps } from './data-keys.js';
import { type DataKey, groupOf, keyedDigest, openText, partsOf, type PlaceKey, placeKeyOf, sealText } from './envelope.js';

/** Derived keys that a process keeps in memory. */
const MAX_DERIVED = 20_000;

/** How payloads are encrypted. */
export interface EncryptionKeys extends Pick<DataKeysDeps, 'ring' | 'clock'> {
  /** Whose key an owner's payloads are encrypted with. @defaultValue `keyScopeOf` */
  readonly scopeOf?: ((owner: string) => string) | undefined;
  /** Whether what is new is encrypted, or what is encrypted only read. @defaultValue true */
  readonly writes?: boolean | undefined;
  /** Whether what is plain is read too, or refused as not genuine. @defaultValue true */
  readonly takesPlain?: boolean | undefined;
}

/** Both parts of a store that payloads at rest need. @param encryption absent where payloads are kept as they are */
export function openAtRest(
  dataKeys: DataKeyStore,
  encryption: EncryptionKeys | undefined,
): { readonly dataKeys: DataKeyStore; readonly codec: PayloadCodec } {
  return { dataKeys, codec: codecOf(dataKeys, encryption) };
}

/** The codec of a store. @param encryption absent where payloads are kept as they are */
export function codecOf(store: DataKeyStore, encryption: EncryptionKeys | undefined): PayloadCodec {
  return encryption === undefined ? PLAIN : createEncryption({ ...encryption, store });
}

function createEncryption({
  scopeOf = keyScopeOf,
  writes = true,
  takesPlain = true,
  ...deps
}: EncryptionKeys & DataKeysDeps): PayloadCodec {
  const keys = new DataKeys(deps);
  // To derive a key takes as long as to encrypt with it.
  const derived = remembered(MAX_DERIVED, (_name, key: DataKey, kind: Place['kind'], group: string) => placeKeyOf(key, kind, group));
  const keyAt = (key: DataKey, place: Place): PlaceKey => {
    const group = groupOf(place);
    return derived(`${key.id} ${place.kind} ${group}`, key, place.kind, group);
  };
  return {
    sealFor(owner) {
      if (!writes) return AS_IT_IS;
      return whenReady(
        keys.ofScope(scopeOf(owner)),
        ([current]): Seal =>
          (text, place) =>
            sealText(keyAt(current, place), text, place),
      );
    },
    takesPlain,
    open(text, place) {
      if (takesPlain && !isEncrypted(text)) return text;
      const parts = partsOf(text);
      if (parts === undefined) throw notGenuine(place);
      return whenReady(keys.byId(parts.keyId), (key) => {
        const plain = openText(keyAt(key, place), parts.body, place);
        if (plain === undefined) throw notGenuine(place);
        return plain;
      });
    },
    digestsFor(owner) {
      return whenReady(keys.ofScope(scopeOf(owner)), (all) => {
        const keyed = all.map(
          (key): Digest =>
            (text) =>
              keyedDigest(key, text),
        );
        if (!takesPlain) return keyed;
        return writes ? [...keyed, plainDigest] : [plainDigest, ...keyed];
      });
    },
  };
}
