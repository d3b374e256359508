/** As much of a text's beginning as fits into so many bytes of UTF-8, and how many bytes are left out. No character is cut in two. */
export function cutBytes(text, maxBytes) {
    // A UTF-16 code unit has at most three bytes, so most texts need not be counted.
    if (text.length * 3 <= maxBytes)
        return { text, leftOutBytes: 0 };
    const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
    const leftOutBytes = Buffer.byteLength(text) - written;
    // Halves of characters that were there before are three bytes in UTF-8, and are no reason to cut.
    return leftOutBytes <= 0 ? { text, leftOutBytes: 0 } : { text: text.slice(0, read), leftOutBytes };
}
/** The text, or its beginning with a note that says how much is left out; with the note it may be a little longer than `maxBytes`. */
export function cutWithNote(text, maxBytes) {
    const { text: start, leftOutBytes } = cutBytes(text, maxBytes);
    return leftOutBytes === 0 ? text : `${start}\n[${leftOutBytes} more bytes are left out]`;
}
//# sourceMappingURL=cut-bytes.js.map