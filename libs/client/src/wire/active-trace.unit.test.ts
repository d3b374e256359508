import { context, propagation, ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { afterEach, describe, expect, it } from 'vitest';
import { activeTrace } from './active-trace.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

afterEach(() => {
  context.disable();
  propagation.disable();
});

describe('the trace of a request', () => {
  it('is the one that is active, with its baggage', () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(
      new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
    );
    const span = trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED });
    const active = propagation.setBaggage(span, propagation.createBaggage({ tenant: { value: 'acme' } }));
    expect(context.with(active, activeTrace)).toEqual({ traceparent: `00-${traceId}-${spanId}-01`, baggage: 'tenant=acme' });
    expect(activeTrace()).toBeUndefined();
  });

  it('is none in a program without an SDK', () => {
    expect(activeTrace()).toBeUndefined();
  });
});
