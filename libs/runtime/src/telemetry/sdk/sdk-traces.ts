/**
 * Spans of Longhaul's own. Those of tasks have ids that follow from what is recorded, so that whichever process reports one
 * gives it the same: the SDK's tracer draws ids at random, and is left to others.
 */
import { context, type Context, propagation, ROOT_CONTEXT, type SpanContext, trace, TraceFlags } from '@opentelemetry/api';
import { RandomIdGenerator, type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace';
import { baggageEntries } from './baggage-entries.js';
import { KINDS, spanContextOf } from './readable-span.js';
import type { SpanPipeline } from './span-pipeline.js';
import type { EndedSpan, OpenSpan, SpanEnd, SpanStart, Traces } from '../port/telemetry.js';
import { formatTraceparent, parseTraceparent, type SpanReference, type TraceContext } from '../port/trace-context.js';

/** Where the spans of a process go. */
export class SdkTraces implements Traces {
  readonly #ids = new RandomIdGenerator();

  constructor(
    private readonly pipeline: SpanPipeline,
    private readonly sampler: Sampler,
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
    if (span.isSampled ?? this.#isSampled(span.traceId, span)) this.pipeline.processor.onEnd(this.pipeline.spanFor(span));
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

function referenceOf({ traceId, spanId, traceFlags }: SpanContext): SpanReference {
  return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
}
