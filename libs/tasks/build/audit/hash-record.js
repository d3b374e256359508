import { createHash } from 'node:crypto';
/** The hash of a record: of the one before it, of where it stands, and of what it says. */
export function hashOfRecord(chain, before, text) {
    return createHash('sha256')
        .update(`${before.hash}\n${chain} ${before.number + 1}\n${text}`)
        .digest('hex');
}
/** Texts as records behind a head. */
export function chained(chain, after, texts) {
    let before = after;
    return texts.map((text) => {
        const hash = hashOfRecord(chain, before, text);
        before = { number: before.number + 1, hash };
        return { text, hash };
    });
}
//# sourceMappingURL=hash-record.js.map