import { describe, expect, it } from 'vitest';
import { formatTraceparent, parseTraceparent, traceContextOf } from './trace-context.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${spanId}-01`;

describe('the trace context of a request', () => {
  it('is its traceparent with what came along', () => {
    const context = { traceparent, tracestate: 'vendor=1', baggage: 'tenant=acme' };
    expect(traceContextOf({ ...context, more: 1 })).toEqual(context);
    expect(parseTraceparent(traceparent)).toEqual({ traceId, spanId, isSampled: true });
    expect(formatTraceparent({ traceId, spanId, isSampled: false })).toBe(`00-${traceId}-${spanId}-00`);
  });

  it.each([
    ['no text', 7],
    ['not of its form', '00-1-2-01'],
    ['of a trace without an id', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['of a span without an id', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['of the version that is none', `ff-${traceId}-${spanId}-01`],
  ])('is none when its traceparent is %s', (_, wrong) => {
    expect(traceContextOf({ traceparent: wrong })).toBeUndefined();
  });

  it('leaves out what is longer than everybody carries, or cannot be a header', () => {
    expect(traceContextOf({ traceparent, tracestate: 'x'.repeat(513), baggage: 'a=1\nb=2' })).toEqual({ traceparent });
    expect(traceContextOf({ traceparent, baggage: 'x'.repeat(8_193) })).toEqual({ traceparent });
  });
});
