/** Parts of a text. Characters are those of Unicode, as the reference server counts them, and never cut. */
/** @returns undefined when the text ends at or before the start */
export function partOf(text, start, maxLength) {
    const from = offsetOf(text, start, 0);
    if (from >= text.length)
        return undefined;
    const to = offsetOf(text, maxLength, from);
    return { text: text.slice(from, to), ...(to < text.length && { next: start + maxLength }) };
}
/** @returns the offset that lies so many characters after the other one, at most the length */
function offsetOf(text, characters, from) {
    let offset = from;
    for (let left = characters; left > 0 && offset < text.length; left--)
        offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
    return offset;
}
//# sourceMappingURL=paging.js.map