/**
 * Makes spans of requests that a feature sends by itself. They belong to the step or the request within which it does so. Without an SDK in
 * the process they cost nothing.
 */
import { type Attributes, context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** A span that is not complete. */
export interface ClientSpan {
  /** Runs what belongs to it: requests within it carry its id. */
  within<T>(body: () => T): T;
  set(attributes: Attributes): void;
  /** It has failed. The message is left out, because it may repeat what was sent. @param type for `error.type` */
  fail(type: string): void;
  end(): void;
}

/** Begins a span of kind client. */
export function startClientSpan(name: string, attributes: Attributes): ClientSpan {
  const span = trace.getTracer('longhaul').startSpan(name, { kind: SpanKind.CLIENT, attributes });
  return {
    within: (body) => context.with(trace.setSpan(context.active(), span), body),
    set: (more) => void span.setAttributes(more),
    fail: (type) => void span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type),
    end: () => span.end(),
  };
}
