/**
 * Spans of Longhaul's own. Those of tasks have ids that follow from what is recorded, so that whichever process reports one
 * gives it the same: the SDK's tracer draws ids at random, and is left to others.
 */
import {
  context,
  type Context,
  createTraceState,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { type InstrumentationScope, millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import { RandomIdGenerator, type ReadableSpan, type Sampler, SamplingDecision, type SpanProcessor } from '@opentelemetry/sdk-trace';
import { baggageEntries } from './baggage-entries.js';
import type { EndedSpan, OpenSpan, SpanEnd, SpanStart, Traces } from '../port/telemetry.js';
import { formatTraceparent, parseTraceparent, type SpanReference, type TraceContext } from '../port/trace-context.js';

const SCOPE: InstrumentationScope = { name: 'longhaul' };
const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

/** Where the spans of a process go. */
export class SdkTraces implements Traces {
  readonly #ids = new RandomIdGenerator();

  constructor(
    private readonly processor: SpanProcessor,
    private readonly sampler: Sampler,
    private readonly resource: Resource,
  ) {}

  begin({ name, kind, startMs, attributes, parent, links = [] }: SpanStart): OpenSpan {
    const ambient = trace.getSpanContext(context.active());
    const above = (parent && parseTraceparent(parent.traceparent)) ?? (ambient && referenceOf(ambient));
    const traceId = above?.traceId ?? this.#ids.generateTraceId();
    const spanId = this.#ids.generateSpanId();
    const isSampled = this.#isSampled(traceId, { above, name, kind });
    const related =
      parent !== undefined && ambient !== undefined ? [...links, { traceparent: formatTraceparent(referenceOf(ambient)) }] : links;
    let place = { traceId, isSampled, ...(above !== undefined && { parentSpanId: above.spanId }) };
    let isOpen = true;
    return {
      context: { ...parent, traceparent: formatTraceparent({ traceId, spanId, isSampled }) },
      adopt: (adopter) => {
        const { traceId: adoptedBy, spanId: parentSpanId, isSampled: isAdoptedSampled } = parseTraceparent(adopter.traceparent) ?? {};
        if (place.parentSpanId !== undefined || adoptedBy === undefined || parentSpanId === undefined) return;
        place = { traceId: adoptedBy, parentSpanId, isSampled: isAdoptedSampled ?? isSampled };
      },
      end: ({ attributes: more, error }: SpanEnd = {}) => {
        if (!isOpen) return;
        isOpen = false;
        const tracestate = parent?.tracestate;
        this.emit({
          name,
          kind,
          ...place,
          spanId,
          ...(tracestate !== undefined && { tracestate }),
          startMs,
          endMs: Date.now(),
          attributes: { ...attributes, ...more },
          links: related,
          ...(error !== undefined && { error }),
        });
      },
    };
  }

  emit(span: EndedSpan): void {
    const { name, kind, traceId, spanId, parentSpanId, tracestate, startMs, endMs, attributes, links = [], error } = span;
    const isSampled = span.isSampled ?? this.#isSampled(traceId, span);
    if (!isSampled) return;
    const common = {
      traceId,
      traceFlags: TraceFlags.SAMPLED,
      ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
    };
    const spanContext: SpanContext = { ...common, spanId };
    const readable: ReadableSpan = {
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
      resource: this.resource,
      instrumentationScope: SCOPE,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
    this.processor.onEnd(readable);
  }

  within<T>(within: TraceContext, work: () => T): T {
    return context.with(contextOf(within), work);
  }

  #isSampled(
    traceId: string,
    { above, name, kind }: Pick<EndedSpan, 'name' | 'kind'> & { readonly above?: SpanReference | undefined },
  ): boolean {
    const parent = above === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(above));
    return this.sampler.shouldSample(parent, traceId, name, KINDS[kind], {}, []).decision === SamplingDecision.RECORD_AND_SAMPLED;
  }
}

function contextOf({ traceparent, tracestate, baggage }: TraceContext): Context {
  const reference = parseTraceparent(traceparent);
  if (reference === undefined) return context.active();
  const own = trace.setSpanContext(ROOT_CONTEXT, spanContextOf(reference, tracestate));
  return baggage === undefined ? own : propagation.setBaggage(own, propagation.createBaggage(baggageEntries(baggage)));
}

function spanContextOf({ traceId, spanId, isSampled }: SpanReference, tracestate?: string): SpanContext {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true, ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }) };
}

function referenceOf({ traceId, spanId, traceFlags }: SpanContext): SpanReference {
  return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
}

function linkOf({ traceparent, tracestate }: TraceContext): Link[] {
  const reference = parseTraceparent(traceparent);
  return reference === undefined ? [] : [{ context: spanContextOf(reference, tracestate), attributes: {} }];
}
