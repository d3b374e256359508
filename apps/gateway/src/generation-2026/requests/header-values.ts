/** Reads the values of headers in which clients repeat parts of a message. */
import type { IncomingHttpHeaders } from 'node:http';

/** A value in Base64. */
const ENCODED = /^=\?base64\?(.*)\?=$/;

/** The value unchanged, without the white space around it. @param name in lower case */
export function headerValue(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : String(value).trim();
}

/** The decoded value. @returns undefined for invalid Base64, or for bytes that are no text */
export function decodedValue(value: string): string | undefined {
  const [, base64] = ENCODED.exec(value) ?? [];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // Not UTF-8.
  }
}
