/** @returns a text that no other form or dialog has: what is sent with it twice is done once. Also works where a page came by plain HTTP. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
