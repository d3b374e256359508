const NUMBER = /^\s*\d+(\.\d+)?\s*$/;
/** How long a server asks to wait, by `retry-after-ms` or by `Retry-After` in seconds or as a date; undefined if it does not. */
export function retryAfterMs(headers, nowMs = Date.now()) {
    const inMs = headers?.get('retry-after-ms') ?? '';
    if (NUMBER.test(inMs))
        return Math.ceil(Number(inMs));
    const value = headers?.get('retry-after') ?? '';
    if (NUMBER.test(value))
        return Math.ceil(Number(value) * 1000);
    // `Date.parse` takes other things for dates too.
    const dateMs = value.trimEnd().endsWith('GMT') ? Date.parse(value) : Number.NaN;
    return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
//# sourceMappingURL=retry-after.js.map