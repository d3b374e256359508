/** Cuts a text to so many bytes of UTF-8, and counts the bytes that are left out. No character is cut in two. */
export function cutBytes(text: string, maxBytes: number): { readonly text: string; readonly leftOutBytes: number } {
  // A UTF-16 code unit has at most three bytes, so most texts need not be counted.
  if (text.length * 3 <= maxBytes) return { text, leftOutBytes: 0 };
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  const leftOutBytes = Buffer.byteLength(text) - written;
  // Halves of characters that were there before are three bytes in UTF-8, and are no reason to cut.
  return leftOutBytes <= 0 ? { text, leftOutBytes: 0 } : { text: text.slice(0, read), leftOutBytes };
}

/** The text, or its beginning with a note that says how much is left out. With the note it may be a little longer than `maxBytes`. */
export function cutWithNote(text: string, maxBytes: number): string {
  const { text: start, leftOutBytes } = cutBytes(text, maxBytes);
  return leftOutBytes === 0 ? text : `${start}\n[${leftOutBytes} more bytes are left out]`;
}
