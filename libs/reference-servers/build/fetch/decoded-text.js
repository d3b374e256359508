/** Bytes of a page as text. */
/** Where HTML has to name its encoding, and robots of all kinds look for it. */
const HEAD_BYTES = 1_024;
/** Decodes by the byte order mark, the charset of the content type, or the one that the page names in its head; else as UTF-8. */
export function decodedText(bytes, contentType) {
    const label = markOf(bytes) ?? charsetIn(contentType) ?? charsetIn(Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')) ?? 'utf-8';
    return decoderFor(label).decode(bytes);
}
function markOf([first, second, third]) {
    if (first === 0xef && second === 0xbb && third === 0xbf)
        return 'utf-8';
    if (first === 0xfe && second === 0xff)
        return 'utf-16be';
    return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}
function charsetIn(text) {
    return /\bcharset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];
}
function decoderFor(label) {
    try {
        return new TextDecoder(label);
    }
    catch (error) {
        if (error instanceof RangeError)
            return new TextDecoder();
        throw error;
    }
}
//# sourceMappingURL=decoded-text.js.map