/** Guesses the encoding of a text from its bytes. */
import { isUtf8 } from 'node:buffer';

/** As much of a text shows its encoding. */
const LOOKED_AT_BYTES = 1_024;

/**
 * Recognizes UTF-16 without a byte order mark. Markup and JSON have many ASCII characters, so every second byte is often zero.
 *
 * @returns undefined for any other bytes
 */
export function unmarkedUtf16(bytes: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | undefined {
  const beginning = bytes.subarray(0, LOOKED_AT_BYTES);
  const zeros = [0, 0];
  for (const [index, byte] of beginning.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // A quarter of the pairs.
  const isEnough = 8 * (even + odd) >= beginning.length && even + odd > 0;
  if (!isEnough || (even > 0 && odd > 0)) return undefined;
  return odd > 0 ? 'UTF-16LE' : 'UTF-16BE';
}

/** The encoding that fits: UTF-16 or UTF-8 where the bytes are that, else windows-1252, in which all bytes mean something. */
export function guessedEncoding(bytes: Uint8Array): string {
  return unmarkedUtf16(bytes) ?? (isUtf8(bytes) ? 'UTF-8' : 'windows-1252');
}
