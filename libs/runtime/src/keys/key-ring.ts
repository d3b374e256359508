/**
 * Holds the keys of a deployment. Each signed, sealed or encrypted text names its key by an id, so that a key can be replaced while texts
 * of the old key are still accepted. Each use has a separate key, derived from the secret.
 */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;
const ID_BYTES = 6;

/** The length of a key's id, in characters of base64url. */
export const KEY_ID_LENGTH = 8;

/** The purposes of keys. A new purpose gets a new name. */
export type KeyUse = 'request ids' | 'request state' | 'question links' | 'data keys' | 'log-ins';

/** One secret. */
export interface Key {
  /** The same in all processes that know the secret; it reveals nothing about the secret. */
  readonly id: string;
  /** The name that people gave it. @defaultValue its id */
  readonly name: string;
  /** A key object, because making one from bytes takes longer than using it. */
  of(use: KeyUse): KeyObject;
}

/** All secrets: one to write with, any number to read with. */
export interface KeyRing {
  readonly current: Key;
  /** All secrets; the first one writes. */
  readonly keys: readonly Key[];
  /** @returns undefined for an id that no secret has */
  key(id: string): Key | undefined;
}

/** A secret with a name that people gave it. */
export interface NamedSecret {
  readonly name: string;
  readonly secret: string;
}

/**
 * @param secret makes new texts; the same in all processes of a deployment
 * @param oldSecrets their texts are still accepted
 */
export function createKeyRing(secret: string | NamedSecret, oldSecrets: readonly (string | NamedSecret)[] = []): KeyRing {
  const current = keyOf(secret);
  const keys = new Map([current, ...oldSecrets.map(keyOf)].map((key) => [key.id, key]));
  keys.set(current.id, current);
  return { current, keys: [...keys.values()], key: (id) => keys.get(id) };
}

/** A ring that writes with the first ring's key, and reads with the keys of both. */
export function joinKeyRings(first: KeyRing, other: KeyRing): KeyRing {
  return { current: first.current, keys: [...first.keys, ...other.keys], key: (id) => first.key(id) ?? other.key(id) };
}

function keyOf(given: string | NamedSecret): Key {
  const secret = typeof given === 'string' ? given : given.secret;
  const derived = new Map<KeyUse, KeyObject>();
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

function derive(secret: string, use: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `longhaul ${use}`, bytes));
}
