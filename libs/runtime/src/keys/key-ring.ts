/**
 * The keys of a deployment. What is signed, sealed or encrypted names its key by an id, so that a key can be replaced while what
 * the old one has made is still taken. Each use has a key of its own, derived from the secret.
 */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;
const ID_BYTES = 6;

/** Characters of the id of a key, which are those of base64url. */
export const KEY_ID_LENGTH = 8;

/** What keys are for. A new use gets a new name. */
export type KeyUse = 'request ids' | 'request state' | 'data keys';

/** One secret. */
export interface Key {
  /** The same wherever the secret is known, and says nothing about it. */
  readonly id: string;
  /** What people call it. @defaultValue its id */
  readonly name: string;
  /** As an object, because to make one of bytes takes longer than what is done with it. */
  of(use: KeyUse): KeyObject;
}

/** All secrets: one to write with, any number to read with. */
export interface KeyRing {
  readonly current: Key;
  /** All of them, the one that writes first. */
  readonly keys: readonly Key[];
  /** @returns undefined for an id that no secret has */
  key(id: string): Key | undefined;
}

/** A secret that people have given a name. */
export interface NamedSecret {
  readonly name: string;
  readonly secret: string;
}

/**
 * @param secret makes what is new; the same in all processes of a deployment
 * @param oldSecrets what they have made is still taken
 */
export function createKeyRing(secret: string | NamedSecret, oldSecrets: readonly (string | NamedSecret)[] = []): KeyRing {
  const current = keyOf(secret);
  const keys = new Map([current, ...oldSecrets.map(keyOf)].map((key) => [key.id, key]));
  keys.set(current.id, current);
  return { current, keys: [...keys.values()], key: (id) => keys.get(id) };
}

/** A ring that writes as the first one does, and reads with the keys of both. */
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
