/** W3C trace context as it travels: in the metadata and headers of requests, and in the first event of a task. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/;
const SAMPLED = 1;
/** Longer ones are left out: the specification of `tracestate` has 512 characters as what everybody carries, that of baggage 8,192 bytes. */
const MAX_TRACESTATE = 512;
const MAX_BAGGAGE = 8_192;
/** Visible ASCII, spaces and tabs: what a header may have. */
const HEADER_VALUE = /^[\t\x20-\x7E]+$/;
/** The trace context among the headers or the metadata of a request, if it has a valid one. */
export function traceContextOf({ traceparent, tracestate, baggage }) {
    if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent))
        return undefined;
    return {
        traceparent,
        ...(isHeader(tracestate, MAX_TRACESTATE) && { tracestate }),
        ...(isHeader(baggage, MAX_BAGGAGE) && { baggage }),
    };
}
function isHeader(value, maxLength) {
    return typeof value === 'string' && value.length <= maxLength && HEADER_VALUE.test(value);
}
/** @returns nothing for what is no `traceparent` */
export function parseTraceparent(traceparent) {
    const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
    if (traceId === undefined || spanId === undefined || flags === undefined)
        return undefined;
    return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}
export function formatTraceparent({ traceId, spanId, isSampled }) {
    return `00-${traceId}-${spanId}-0${isSampled ? SAMPLED : 0}`;
}
//# sourceMappingURL=trace-context.js.map