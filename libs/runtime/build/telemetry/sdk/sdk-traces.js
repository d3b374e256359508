/**
 * Spans of Longhaul's own. Those of tasks have ids that follow from what is recorded, so that whichever process reports one
 * gives it the same: the SDK's tracer draws ids at random, and is left to others.
 */
import { context, propagation, ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api';
import { RandomIdGenerator, SamplingDecision } from '@opentelemetry/sdk-trace';
import { baggageEntries } from './baggage-entries.js';
import { KINDS, OwnSpan, spanContextOf } from './own-span.js';
import { formatTraceparent, parseTraceparent } from '../port/trace-context.js';
/** Where the spans of a process go. */
export class SdkTraces {
    processor;
    sampler;
    resource;
    #ids = new RandomIdGenerator();
    constructor(processor, sampler, resource) {
        this.processor = processor;
        this.sampler = sampler;
        this.resource = resource;
    }
    begin(start) {
        const { name, kind, parent, links } = start;
        const ambient = trace.getSpanContext(context.active());
        const above = (parent && parseTraceparent(parent.traceparent)) ?? (ambient && referenceOf(ambient));
        const traceId = above?.traceId ?? this.#ids.generateTraceId();
        const isSampled = this.#isSampled(traceId, { above, name, kind });
        const related = parent !== undefined && ambient !== undefined ? [...(links ?? []), { traceparent: formatTraceparent(referenceOf(ambient)) }] : links;
        return new SdkSpan(this, start, { traceId, spanId: this.#ids.generateSpanId(), isSampled }, above?.spanId, related);
    }
    emit(span) {
        if (span.isSampled ?? this.#isSampled(span.traceId, span))
            this.processor.onEnd(new OwnSpan(span, this.resource));
    }
    within(within, work) {
        return context.with(contextOf(within), work);
    }
    #isSampled(traceId, { above, name, kind }) {
        const parent = above === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(above));
        return this.sampler.shouldSample(parent, traceId, name, KINDS[kind], {}, []).decision === SamplingDecision.RECORD_AND_SAMPLED;
    }
}
/** A span that goes on in this process. */
class SdkSpan {
    traces;
    start;
    own;
    parentSpanId;
    links;
    context;
    #isOpen = true;
    #traceId;
    #isSampled;
    constructor(traces, start, own, parentSpanId, links) {
        this.traces = traces;
        this.start = start;
        this.own = own;
        this.parentSpanId = parentSpanId;
        this.links = links;
        const traceparent = formatTraceparent(own);
        this.context = start.parent === undefined ? { traceparent } : { ...start.parent, traceparent };
        this.#traceId = own.traceId;
        this.#isSampled = own.isSampled;
    }
    within(work) {
        return context.with(contextIn(this.own, this.context), work);
    }
    adopt({ traceId, spanId, isSampled }) {
        if (this.parentSpanId !== undefined)
            return;
        this.#traceId = traceId;
        this.parentSpanId = spanId;
        this.#isSampled = isSampled;
    }
    end({ attributes: more, error } = {}) {
        if (!this.#isOpen)
            return;
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
function contextOf(of) {
    const reference = parseTraceparent(of.traceparent);
    return reference === undefined ? context.active() : contextIn(reference, of);
}
function contextIn(reference, { tracestate, baggage }) {
    const own = trace.setSpanContext(ROOT_CONTEXT, spanContextOf(reference, tracestate));
    return baggage === undefined ? own : propagation.setBaggage(own, propagation.createBaggage(baggageEntries(baggage)));
}
function referenceOf({ traceId, spanId, traceFlags }) {
    return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
}
//# sourceMappingURL=sdk-traces.js.map