/** Converts Longhaul's own spans to the SDK's form. */
import {
  type Attributes,
  createTraceState,
  type HrTime,
  type Link,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import { type InstrumentationScope, millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { EndedSpan } from '../port/telemetry.js';
import { parseTraceparent, type SpanReference, type TraceContext } from '../port/trace-context.js';

const SCOPE: InstrumentationScope = { name: 'longhaul' };
const NO_EVENTS: ReadableSpan['events'] = [];
export const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

/** An ended span. It is kept until its batch is sent, so it stores little: derived values are computed when the SDK asks. */
export class OwnSpan implements ReadableSpan {
  readonly ended = true;
  readonly events = NO_EVENTS;
  readonly instrumentationScope = SCOPE;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  readonly parentSpanContext?: SpanContext;

  constructor(
    private readonly span: EndedSpan,
    readonly resource: Resource,
  ) {
    const { traceId, parentSpanId: spanId, tracestate } = span;
    if (spanId !== undefined) this.parentSpanContext = spanContextOf({ traceId, spanId, isSampled: true }, tracestate);
  }

  get name(): string {
    return this.span.name;
  }

  get kind(): SpanKind {
    return KINDS[this.span.kind];
  }

  get attributes(): Attributes {
    return this.span.attributes;
  }

  get startTime(): HrTime {
    return millisToHrTime(this.span.startMs);
  }

  get endTime(): HrTime {
    return millisToHrTime(Math.max(this.span.startMs, this.span.endMs));
  }

  get duration(): HrTime {
    return millisToHrTime(Math.max(0, this.span.endMs - this.span.startMs));
  }

  get status(): SpanStatus {
    const { error } = this.span;
    return error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error };
  }

  get links(): Link[] {
    return this.span.links?.flatMap(linkOf) ?? [];
  }

  spanContext(): SpanContext {
    const { traceId, spanId, tracestate } = this.span;
    return spanContextOf({ traceId, spanId, isSampled: true }, tracestate);
  }
}

export function spanContextOf({ traceId, spanId, isSampled }: SpanReference, tracestate?: string): SpanContext {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true, ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }) };
}

function linkOf({ traceparent, tracestate }: TraceContext): Link[] {
  const reference = parseTraceparent(traceparent);
  return reference === undefined ? [] : [{ context: spanContextOf(reference, tracestate), attributes: {} }];
}
