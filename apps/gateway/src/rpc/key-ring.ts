/**
 * The secrets of a deployment. What is signed or sealed names the key by its id, so that a secret can be replaced while
 * what the old one has made is still taken. Each use has a key of its own, derived from the secret.
 */
import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
const ID_BYTES = 6;

/** Characters of the id of a key, which are those of base64url. */
export const KEY_ID_LENGTH = 8;

/** What keys are for. A new use gets a new name. */
export type KeyUse = 'request ids' | 'request state';

/** One secret. */
export interface Key {
  /** The same wherever the secret is known, and says nothing about it. */
  readonly id: string;
  of(use: KeyUse): Buffer;
}

/** All secrets: one to write with, any number to read with. */
export interface KeyRing {
  readonly current: Key;
  /** @returns undefined for an id that no secret has */
  key(id: string): Key | undefined;
}

/**
 * @param secret makes what is new; the same in all gateways of a deployment
 * @param oldSecrets what they have made is still taken
 */
export function createKeyRing(secret: string, oldSecrets: readonly string[] = []): KeyRing {
  const current = keyOf(secret);
  const keys = new Map([current, ...oldSecrets.map(keyOf)].map((key) => [key.id, key]));
  return { current, key: (id) => keys.get(id) };
}

function keyOf(secret: string): Key {
  const derived = new Map<KeyUse, Buffer>();
  return {
    id: derive(secret, 'key id', ID_BYTES).toString('base64url'),
    of(use) {
      const key = derived.get(use) ?? derive(secret, use, KEY_BYTES);
      derived.set(use, key);
      return key;
    },
  };
}

function derive(secret: string, use: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `longhaul ${use}`, bytes));
}
