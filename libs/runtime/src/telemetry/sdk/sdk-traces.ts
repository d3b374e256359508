/**
 * Sends Longhaul's own spans. Spans of tasks have ids that follow from recorded events, so that every process gives the same span the same
 * id. The SDK's tracer draws random ids, so only other code uses it.
 */
import { context, type Context, propagation, ROOT_CONTEXT, type SpanContext, trace, TraceFlags } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { RandomIdGenerator, type Sampler, SamplingDecision, type SpanProcessor } from '@opentelemetry/sdk-trace';
import { baggageEntries } from './baggage-entries.js';
import { KINDS, OwnSpan, spanContextOf } from './own-span.js';
import type { EndedSpan, OpenSpan, SpanEnd, SpanStart, Traces } from '../port/telemetry.js';
import { formatTraceparent, parseTraceparent, type SpanReference, type TraceContext } from '../port/trace-context.js';

/** Where the spans of a process go. */
export class SdkTraces implements Traces {
  readonly #ids = new RandomIdGenerator();

  constructor(
    private readonly processor: SpanProcessor,
    private readonly sampler: Sampler,
    private readonly resource: Resource,
  ) {}

  begin(start: SpanStart): OpenSpan {
    const { name, kind, parent, links } = start;
    const ambient = trace.getSpanContext(context.active());
    const above = (parent && parseTraceparent(parent.traceparent)) ?? (ambient && referenceOf(ambient));
    const traceId = above?.traceId ?? this.#ids.generateTraceId();
    const isSampled = this.#isSampled(traceId, { above, name, kind });
    const related =
      parent !== undefined && ambient !== undefined ? [...(links ?? []), { traceparent: formatTraceparent(referenceOf(ambient)) }] : links;
    return new SdkSpan(this, start, { traceId, spanId: this.#ids.generateSpanId(), isSampled }, above?.spanId, related);
  }

  emit(span: EndedSpan): void {
    if (span.isSampled ?? this.#isSampled(span.traceId, span)) this.processor.onEnd(new OwnSpan(span, this.resource));
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

/** A span of this process that has not ended. */
class SdkSpan implements OpenSpan {
  readonly context: TraceContext;
  #isOpen = true;
  #traceId: string;
  #isSampled: boolean;

  constructor(
    private readonly traces: SdkTraces,
    private readonly start: SpanStart,
    private readonly own: SpanReference,
    private parentSpanId: string | undefined,
    private readonly links: readonly TraceContext[] | undefined,
  ) {
    const traceparent = formatTraceparent(own);
    this.context = start.parent === undefined ? { traceparent } : { ...start.parent, traceparent };
    this.#traceId = own.traceId;
    this.#isSampled = own.isSampled;
  }

  within<T>(work: () => T): T {
    return context.with(contextIn(this.own, this.context), work);
  }

  adopt({ traceId, spanId, isSampled }: SpanReference): void {
    if (this.parentSpanId !== undefined) return;
    this.#traceId = traceId;
    this.parentSpanId = spanId;
    this.#isSampled = isSampled;
  }

  end({ attributes: more, error }: SpanEnd = {}): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { name, kind, startMs, attributes, parent } = this.start;
    const { parentSpanId, links } = this;
    this.traces.emit({
      name,
      kind,
      traceId: this.#traceId,
      spanId: this.own.spanId,
      isSampled: this.#isSampled,
      ...(parentSpanId !== undefined && { parentSpanId }),
      ...(parent?.tracestate !== undefined && { tracestate: parent.tracestate }),
      startMs,
      endMs: Date.now(),
      attributes: more === undefined ? attributes : { ...attributes, ...more },
      ...(links !== undefined && { links }),
      ...(error !== undefined && { error }),
    });
  }
}

function contextOf(of: TraceContext): Context {
  const reference = parseTraceparent(of.traceparent);
  return reference === undefined ? context.active() : contextIn(reference, of);
}

function contextIn(reference: SpanReference, { tracestate, baggage }: TraceContext): Context {
  const own = trace.setSpanContext(ROOT_CONTEXT, spanContextOf(reference, tracestate));
  return baggage === undefined ? own : propagation.setBaggage(own, propagation.createBaggage(baggageEntries(baggage)));
}

function referenceOf({ traceId, spanId, traceFlags }: SpanContext): SpanReference {
  return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
}
