/** A value in Base64. */
const ENCODED = /^=\?base64\?(.*)\?=$/;
/** The value as it was sent, without the white space around it. @param name in small letters */
export function headerValue(headers, name) {
    const value = headers[name];
    return value === undefined ? undefined : String(value).trim();
}
/** What a value stands for. @returns undefined for Base64 that is none, or is not that of a text */
export function decodedValue(value) {
    const [, base64] = ENCODED.exec(value) ?? [];
    if (base64 === undefined)
        return value;
    const bytes = Buffer.from(base64, 'base64');
    if (bytes.toString('base64') !== base64)
        return undefined;
    try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    }
    catch {
        return undefined; // Not UTF-8.
    }
}
//# sourceMappingURL=header-values.js.map