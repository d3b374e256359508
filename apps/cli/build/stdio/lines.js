// Not `split2`: it drops a line above its limit without a word, while the client waits for an answer, and lets one through
// that comes in one chunk. Not `node:readline`: it has no limit, and ends lines at U+2028, which JSON may have in its texts.
const NEWLINE = 0x0a;
/**
 * The lines of a byte stream; the last one need not end with a newline.
 *
 * @returns for each line its text, without the newline; undefined for one that is longer than `maxBytes`, of which
 *   nothing is kept
 */
export async function* readLines(input, maxBytes) {
    let parts = [];
    let size = 0;
    const add = (part) => {
        size += part.length;
        if (size <= maxBytes)
            parts.push(part);
        else
            parts = [];
    };
    const take = () => {
        const line = size <= maxBytes ? Buffer.concat(parts).toString('utf8') : undefined;
        [parts, size] = [[], 0];
        return line;
    };
    for await (const chunk of input) {
        let start = 0;
        for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
            add(chunk.subarray(start, end));
            yield take();
            start = end + 1;
        }
        add(chunk.subarray(start));
    }
    if (size > 0)
        yield take();
}
//# sourceMappingURL=lines.js.map