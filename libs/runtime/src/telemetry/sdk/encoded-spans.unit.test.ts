import { TraceFlags } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { describe, expect, it } from 'vitest';
import type { EndedSpan } from '../port/telemetry.js';
import { SpanEncoder } from './encoded-spans.js';
import { readableSpan } from './readable-span.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const resource = resourceFromAttributes({ 'service.name': 'longhaul-worker', 'service.instance.id': 'host-1', retries: 3 });

const span: EndedSpan = {
  name: 'pass',
  kind: 'internal',
  traceId: TRACE_ID,
  spanId: 'b7ad6b7169203331',
  startMs: 1_795_600_000_123,
  endMs: 1_795_600_000_456,
  attributes: { 'gen_ai.tool.name': 'book-trip' },
};

const spans: Readonly<Record<string, EndedSpan>> = {
  'a root': span,
  'one under another, of a client': { ...span, kind: 'client', parentSpanId: '00f067aa0ba902b7' },
  'one with all kinds of attributes': {
    ...span,
    attributes: {
      number: 7,
      large: 2 ** 52 + 1,
      negative: -3,
      fraction: 0.25,
      is: true,
      'is not': false,
      empty: '',
      text: 'Zürich 東京 🚂',
      long: 'x'.repeat(20_000),
    },
  },
  'one that failed': { ...span, error: 'No such town: Zürich.' },
  'one that failed without words': { ...span, error: '' },
  'one with a state of its trace': { ...span, tracestate: 'vendor=1,other=2' },
  'one with links': {
    ...span,
    kind: 'server',
    links: [
      { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`, tracestate: 'vendor=1' },
      { traceparent: `00-${TRACE_ID}-00f067aa0ba902b8-00` },
    ],
  },
  'one that ended before it began, by another clock': { ...span, endMs: span.startMs - 1 },
  'one with times of parts of milliseconds': { ...span, startMs: 1_795_600_000_123.456, endMs: 1_795_600_000_123.5 },
};

const bySdk = (...of: readonly EndedSpan[]) => ProtobufTraceSerializer.serializeRequest(of.map((each) => readableSpan(each, resource)));
const bytes = (request: Uint8Array | undefined): string => Buffer.from(request ?? []).toString('hex');

describe('a span in the bytes of OTLP', () => {
  it.each(Object.entries(spans))('is what the SDK makes of it: %s', (_, each) => {
    const encoder = new SpanEncoder(resource);
    expect(bytes(encoder.serializeRequest([encoder.encode(each)]))).toBe(bytes(bySdk(each)));
  });

  it('is there with others in one request, over pieces of memory', () => {
    const encoder = new SpanEncoder(resource);
    const many = Array.from({ length: 100 }, () => Object.values(spans)).flat();
    expect(bytes(encoder.serializeRequest(many.map((each) => encoder.encode(each))))).toBe(bytes(bySdk(...many)));
  });

  it('goes with those of the SDK’s tracer, each with its resource', () => {
    const encoder = new SpanEncoder(resource);
    const other = readableSpan({ ...span, name: 'of a tool' }, resource);
    const request = bytes(encoder.serializeRequest([other, encoder.encode(span)]));
    expect(request).toBe(bytes(bySdk(span)) + bytes(ProtobufTraceSerializer.serializeRequest([other])));
    expect(bytes(encoder.serializeRequest([other]))).toBe(bytes(ProtobufTraceSerializer.serializeRequest([other])));
  });

  it('names the schema of what names the process', () => {
    const withSchema = resourceFromAttributes({ 'service.name': 'x' }, { schemaUrl: 'https://opentelemetry.io/schemas/1.30.0' });
    const encoder = new SpanEncoder(withSchema);
    expect(bytes(encoder.serializeRequest([encoder.encode(span)]))).toBe(
      bytes(ProtobufTraceSerializer.serializeRequest([readableSpan(span, withSchema)])),
    );
  });

  it('is sampled for the processor that collects it', () => {
    expect(new SpanEncoder(resource).encode(span).spanContext().traceFlags).toBe(TraceFlags.SAMPLED);
  });
});
