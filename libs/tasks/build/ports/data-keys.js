/** A record as a text; the same record is always the same text. */
export function dataKeyText({ id, scope, ringKeyId, ringKeyName, wrapped, createdAt }) {
    return JSON.stringify({ id, scope, ringKeyId, ringKeyName, wrapped, createdAt });
}
/** What `dataKeyText` has made. */
export function dataKeyFrom(text) {
    return JSON.parse(text);
}
//# sourceMappingURL=data-keys.js.map