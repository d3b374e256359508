/** Makes a unique random text. `crypto.randomUUID` is not used because pages without TLS do not have it. */
export function randomToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
