/**
 * Reads and writes encrypted values: `v1.<id of the data key>.<iv, tag and ciphertext in base64url>`, AES-256-GCM. Its key is derived from
 * the data key, one for each group of things (tasks, sessions), so that the number of values under one key stays far below what random
 * initialization vectors allow (2^32), and few keys are derived often. Kind and id of the thing, field and version are associated data, and
 * the tenant goes into the key: a value that was moved does not open.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { decrypted, encrypted } from '@longhaul/runtime/keys';
import { ENCRYPTED, isEncrypted, type Place } from '../ports/payload-codec.js';

const KEY_BYTES = 32;
/** The part that follows `ENCRYPTED`. */
const FORM = /^([\w-]{16})\.([\w-]+)$/;

/** A data key as a process knows it. */
export interface DataKey {
  readonly id: string;
  readonly scope: string;
  readonly secret: KeyObject;
}

/** The key of a group of things, such as tasks. */
export interface PlaceKey {
  /** The data key that it is derived from. */
  readonly dataKeyId: string;
  readonly secret: KeyObject;
}

/** In which group a thing is: hundreds to thousands of groups, as ids end at random. */
export function groupOf({ id }: Place): string {
  return id.slice(-2);
}

/** Derives the key of a group of things. */
export function placeKeyOf({ id: dataKeyId, secret, scope }: DataKey, kind: Place['kind'], group: string): PlaceKey {
  const derived = createHmac('sha256', secret)
    .update(JSON.stringify([scope, kind, group]))
    .digest();
  return { dataKeyId, secret: createSecretKey(derived) };
}

/** Of a new data key. */
export function newSecret(): KeyObject {
  return createSecretKey(randomBytes(KEY_BYTES));
}

/** The parts of an encrypted value; nothing for any other text. */
export function partsOf(text: string): { readonly keyId: string; readonly body: string } | undefined {
  const [, keyId, body] = (isEncrypted(text) && FORM.exec(text.slice(ENCRYPTED.length))) || [];
  return keyId === undefined || body === undefined ? undefined : { keyId, body };
}

/** Encrypts a text for a place, by the key of the place. */
export function sealText(key: PlaceKey, text: string, place: Place): string {
  return `${ENCRYPTED}${key.dataKeyId}.${encrypted(key.secret, text, dataOf(place)).toString('base64url')}`;
}

/** @returns undefined for a value that was not encrypted by the key for the place */
export function openText({ secret }: PlaceKey, body: string, place: Place): string | undefined {
  return decrypted(secret, Buffer.from(body, 'base64url'), dataOf(place))?.toString();
}

/** A digest that is the same for the same text, and reveals nothing of it without the key. */
export function keyedDigest(key: DataKey, text: string): string {
  const digestKey = createHmac('sha256', key.secret).update('longhaul digests').digest();
  return createHmac('sha256', digestKey).update(text).digest('base64url');
}

function dataOf({ kind, id, field, version }: Place): string {
  return JSON.stringify([kind, id, field, version]);
}
