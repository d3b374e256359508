/** Encrypts with AES-256-GCM: without its key, an encrypted text cannot be read or changed, or used for another purpose. */
import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts bytes, bound to data that must be the same when they are decrypted.
 *
 * @returns initialization vector, tag and ciphertext
 */
export function encrypted(key: KeyObject, plain: string | Buffer, associated: string | Buffer): Buffer {
  const iv = newVector();
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(associated));
  const sealed = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Random initialization vectors for later use: to draw each one separately takes as long as the encryption. */
const vectors = Buffer.alloc(IV_BYTES * 512);
let nextVector = vectors.length;

function newVector(): Buffer {
  if (nextVector === vectors.length) {
    randomFillSync(vectors);
    nextVector = 0;
  }
  return vectors.subarray(nextVector, (nextVector += IV_BYTES));
}

/** @returns undefined for anything that `encrypted` has not made with the same key and data */
export function decrypted(key: KeyObject, bytes: Buffer, associated: string | Buffer): Buffer | undefined {
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associated)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const plain = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return undefined; // Changed, or encrypted for another purpose or with another key.
  }
  return plain;
}
