/** Reads an HTTP response, within limits. */
import type { Response } from 'undici';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Where a redirect leads, as the server writes it, in ASCII; undefined for any other response. */
export function redirectOf({ status, headers }: Response): string | undefined {
  const location = REDIRECTS.has(status) ? headers.get('location') : null;
  // Each character is a byte. Servers write raw UTF-8, or bytes in another encoding; the same bytes are requested then.
  return location?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** How much of a body is read. */
interface BodyLimit {
  /** Bytes, after decompression. */
  readonly maxBytes: number;
  /** Called before so many more bytes are kept. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** Reads a body up to the limit, and stops there. Rejects with the connection's error, or with an error that `onBytes` throws. */
export async function readBody({ body }: Response, { maxBytes, onBytes }: BodyLimit): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isCut = false;
  for await (const chunk of body ?? []) {
    const kept = chunk.subarray(0, maxBytes - size);
    onBytes?.(kept.length);
    chunks.push(kept);
    size += kept.length;
    isCut = kept.length < chunk.length;
    if (isCut) break;
  }
  return { bytes: Buffer.concat(chunks, size), isCut };
}
