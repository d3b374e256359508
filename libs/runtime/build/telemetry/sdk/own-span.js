/** Longhaul's own spans as the SDK has them. */
import { createTraceState, SpanKind, SpanStatusCode, TraceFlags, } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { parseTraceparent } from '../port/trace-context.js';
const SCOPE = { name: 'longhaul' };
const NO_EVENTS = [];
export const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };
/** An ended span. It is kept until its batch is sent, so it keeps little: what is made of that is made when the SDK asks. */
export class OwnSpan {
    span;
    resource;
    ended = true;
    events = NO_EVENTS;
    instrumentationScope = SCOPE;
    droppedAttributesCount = 0;
    droppedEventsCount = 0;
    droppedLinksCount = 0;
    parentSpanContext;
    constructor(span, resource) {
        this.span = span;
        this.resource = resource;
        const { traceId, parentSpanId: spanId, tracestate } = span;
        if (spanId !== undefined)
            this.parentSpanContext = spanContextOf({ traceId, spanId, isSampled: true }, tracestate);
    }
    get name() {
        return this.span.name;
    }
    get kind() {
        return KINDS[this.span.kind];
    }
    get attributes() {
        return this.span.attributes;
    }
    get startTime() {
        return millisToHrTime(this.span.startMs);
    }
    get endTime() {
        return millisToHrTime(Math.max(this.span.startMs, this.span.endMs));
    }
    get duration() {
        return millisToHrTime(Math.max(0, this.span.endMs - this.span.startMs));
    }
    get status() {
        const { error } = this.span;
        return error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error };
    }
    get links() {
        return this.span.links?.flatMap(linkOf) ?? [];
    }
    spanContext() {
        const { traceId, spanId, tracestate } = this.span;
        return spanContextOf({ traceId, spanId, isSampled: true }, tracestate);
    }
}
export function spanContextOf({ traceId, spanId, isSampled }, tracestate) {
    const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
    return { traceId, spanId, traceFlags, isRemote: true, ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }) };
}
function linkOf({ traceparent, tracestate }) {
    const reference = parseTraceparent(traceparent);
    return reference === undefined ? [] : [{ context: spanContextOf(reference, tracestate), attributes: {} }];
}
//# sourceMappingURL=own-span.js.map