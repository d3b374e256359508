/** Longhaul's own spans as the SDK has them. */
import { createTraceState, type Link, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { type InstrumentationScope, millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { EndedSpan } from '../port/telemetry.js';
import { parseTraceparent, type SpanReference, type TraceContext } from '../port/trace-context.js';

const SCOPE: InstrumentationScope = { name: 'longhaul' };
export const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

export function readableSpan(span: EndedSpan, resource: Resource): ReadableSpan {
  const { name, kind, traceId, spanId, parentSpanId, tracestate, startMs, endMs, attributes, links = [], error } = span;
  const common = {
    traceId,
    traceFlags: TraceFlags.SAMPLED,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
  const spanContext: SpanContext = { ...common, spanId };
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => spanContext,
    ...(parentSpanId !== undefined && { parentSpanContext: { ...common, spanId: parentSpanId, isRemote: true } }),
    startTime: millisToHrTime(startMs),
    endTime: millisToHrTime(Math.max(startMs, endMs)),
    duration: millisToHrTime(Math.max(0, endMs - startMs)),
    status: error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes,
    links: links.flatMap(linkOf),
    events: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

export function spanContextOf({ traceId, spanId, isSampled }: SpanReference, tracestate?: string): SpanContext {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true, ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }) };
}

function linkOf({ traceparent, tracestate }: TraceContext): Link[] {
  const reference = parseTraceparent(traceparent);
  return reference === undefined ? [] : [{ context: spanContextOf(reference, tracestate), attributes: {} }];
}
