/** W3C trace context in transit: in the metadata and headers of requests, and in the first event of a task. */

/** The members that carry it, in `_meta` (SEP-414) and in HTTP headers. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** A parsed `traceparent`. Ids are lower-case hexadecimal. */
export interface SpanReference {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the trace is recorded. */
  readonly isSampled: boolean;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/;
const SAMPLED = 1;

/**
 * Longer values are left out: every system should carry 512 characters of `tracestate` and 8,192 bytes of baggage, by their specifications.
 */
const MAX_TRACESTATE = 512;
const MAX_BAGGAGE = 8_192;

/** The permitted characters of a header: visible ASCII, spaces and tabs. */
const HEADER_VALUE = /^[\t\x20-\x7E]+$/;

/** The trace context among the headers or the metadata of a request, if it has a valid one. */
export function traceContextOf({ traceparent, tracestate, baggage }: Readonly<Record<string, unknown>>): TraceContext | undefined {
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined;
  return {
    traceparent,
    ...(isHeader(tracestate, MAX_TRACESTATE) && { tracestate }),
    ...(isHeader(baggage, MAX_BAGGAGE) && { baggage }),
  };
}

function isHeader(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && HEADER_VALUE.test(value);
}

/** @returns nothing for an invalid `traceparent` */
export function parseTraceparent(traceparent: string): SpanReference | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function formatTraceparent({ traceId, spanId, isSampled }: SpanReference): string {
  return `00-${traceId}-${spanId}-0${isSampled ? SAMPLED : 0}`;
}
