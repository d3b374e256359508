/**
 * Longhaul's own spans in the bytes that OTLP sends. Each is written when it ends, into one of a few large pieces of memory, so that
 * what waits to be sent is not thousands of objects, which the garbage collector would have to copy, and sending is a copy.
 *
 * The SDK's processor batches them as it does the spans of tools. Of a span it reads only whether it is sampled, and its resource.
 */
import { createTraceState, type SpanContext, TraceFlags } from '@opentelemetry/api';
import { type ISerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Attributes, EndedSpan } from '../port/telemetry.js';
import { parseTraceparent, type TraceContext } from '../port/trace-context.js';
import { BYTES_PER_CHARACTER, DELIMITED, FIELD_BYTES, FIXED32, FIXED64, ProtobufWriter, VARINT } from './protobuf-writer.js';
import { KINDS, SCOPE } from './readable-span.js';

/** Of some 250 spans. */
const PIECE_BYTES = 65_536;
/** What a span takes beside its texts, attributes and links, at most. */
const SPAN_BYTES = 256;
/** The same of a link. */
const LINK_BYTES = 96;

const SAMPLED: SpanContext = { traceId: '', spanId: '', traceFlags: TraceFlags.SAMPLED };
const sampled = (): SpanContext => SAMPLED;
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;
const STATUS_ERROR = 2;

type TraceResponse = ReturnType<typeof ProtobufTraceSerializer.deserializeResponse>;

/** Where the bytes of a span are: a field of its scope. */
class EncodedSpan {
  readonly spanContext = sampled;

  constructor(
    readonly resource: Resource,
    readonly piece: Buffer,
    readonly from: number,
    readonly to: number,
  ) {}
}

/** Encodes the spans of a process, and makes requests of them. */
export class SpanEncoder implements ISerializer<ReadableSpan[], TraceResponse> {
  #writer = new ProtobufWriter(Buffer.allocUnsafeSlow(0));
  readonly #resource: Resource;
  readonly #encodedResource: Buffer;
  readonly #encodedScope: Buffer;

  constructor(resource: Resource) {
    this.#resource = resource;
    this.#encodedResource = encodedResource(resource);
    this.#encodedScope = written(roomFor(SCOPE.name), (writer) => {
      writer.tag(1, DELIMITED);
      const start = writer.begin();
      writer.string(1, SCOPE.name);
      writer.end(start);
    });
  }

  /** @param span that is sampled. @returns what the SDK's processor takes, and then gives to `serializeRequest` */
  encode(span: EndedSpan): ReadableSpan {
    const room = roomForSpan(span);
    if (this.#writer.at + room > this.#writer.bytes.length)
      this.#writer = new ProtobufWriter(Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, room)));
    const { at: from, bytes } = this.#writer;
    writeSpan(this.#writer, span);
    // Nothing reads more of it: neither the processor nor what is below.
    return new EncodedSpan(this.#resource, bytes, from, this.#writer.at) as unknown as ReadableSpan;
  }

  serializeRequest(spans: ReadableSpan[]): Uint8Array | undefined {
    const own: EncodedSpan[] = [];
    const others: ReadableSpan[] = [];
    for (const span of spans as (ReadableSpan | EncodedSpan)[]) {
      if (span instanceof EncodedSpan) own.push(span);
      else others.push(span);
    }
    if (own.length === 0) return ProtobufTraceSerializer.serializeRequest(others);
    const request = this.#requestOf(own);
    if (others.length === 0) return request;
    // Messages of one kind behind each other are one message with the repeated fields of both.
    return Buffer.concat([request, ProtobufTraceSerializer.serializeRequest(others) ?? Buffer.alloc(0)]);
  }

  deserializeResponse(data: Uint8Array): TraceResponse {
    return ProtobufTraceSerializer.deserializeResponse(data);
  }

  #requestOf(spans: readonly EncodedSpan[]): Buffer {
    let length = this.#encodedScope.length;
    for (const { from, to } of spans) length += to - from;
    const schemaUrl = this.#resource.schemaUrl ?? '';
    const room = this.#encodedResource.length + length + roomFor(schemaUrl) + 3 * FIELD_BYTES;
    return written(room, (writer) => {
      const put = (bytes: Buffer, from = 0, to = bytes.length): void => void (writer.at += bytes.copy(writer.bytes, writer.at, from, to));
      const scopeLength = lengthOf(length);
      const ofSchema = schemaUrl === '' ? Buffer.alloc(0) : written(roomFor(schemaUrl), (schema) => schema.string(3, schemaUrl));
      writer.tag(1, DELIMITED);
      writer.varint(this.#encodedResource.length + 1 + scopeLength + length + ofSchema.length);
      put(this.#encodedResource);
      writer.tag(2, DELIMITED);
      writer.varint(length);
      put(this.#encodedScope);
      for (const { piece, from, to } of spans) put(piece, from, to);
      put(ofSchema);
    });
  }
}

function writeSpan(writer: ProtobufWriter, span: EndedSpan): void {
  const { traceId, spanId, parentSpanId, tracestate, startMs, endMs, links = [] } = span;
  writer.tag(2, DELIMITED);
  const start = writer.begin();
  writer.hex(1, traceId);
  writer.hex(2, spanId);
  writeTracestate(writer, tracestate);
  if (parentSpanId !== undefined) writer.hex(4, parentSpanId);
  writer.string(5, span.name);
  writeVarint(writer, 6, KINDS[span.kind] + 1);
  writer.tag(7, FIXED64);
  writer.nanoseconds(startMs);
  writer.tag(8, FIXED64);
  writer.nanoseconds(Math.max(startMs, endMs));
  writeAttributes(writer, 9, span.attributes);
  for (const dropped of [10, 12]) writeVarint(writer, dropped, 0);
  for (const link of links) writeLink(writer, link);
  writeVarint(writer, 14, 0);
  writeStatus(writer, span.error);
  writer.tag(16, FIXED32);
  writer.fixed32(TraceFlags.SAMPLED | HAS_IS_REMOTE | (parentSpanId === undefined ? 0 : IS_REMOTE));
  writer.end(start);
}

function writeStatus(writer: ProtobufWriter, error: string | undefined): void {
  writer.tag(15, DELIMITED);
  const start = writer.begin();
  if (error !== undefined && error !== '') writer.string(2, error);
  writeVarint(writer, 3, error === undefined ? 0 : STATUS_ERROR);
  writer.end(start);
}

function writeLink(writer: ProtobufWriter, { traceparent, tracestate }: TraceContext): void {
  const reference = parseTraceparent(traceparent);
  if (reference === undefined) return;
  writer.tag(13, DELIMITED);
  const start = writer.begin();
  writer.hex(1, reference.traceId);
  writer.hex(2, reference.spanId);
  writeTracestate(writer, tracestate);
  writeVarint(writer, 5, 0);
  writer.tag(6, FIXED32);
  writer.fixed32((reference.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE) | HAS_IS_REMOTE | IS_REMOTE);
  writer.end(start);
}

/** Members that are none are left out, as the SDK does. */
function writeTracestate(writer: ProtobufWriter, tracestate: string | undefined): void {
  const valid = tracestate === undefined ? '' : createTraceState(tracestate).serialize();
  if (valid !== '') writer.string(3, valid);
}

function writeAttributes(writer: ProtobufWriter, field: number, attributes: Attributes): void {
  for (const key of Object.keys(attributes)) {
    writer.tag(field, DELIMITED);
    const pair = writer.begin();
    writer.string(1, key);
    writer.tag(2, DELIMITED);
    const value = writer.begin();
    writeValue(writer, attributes[key]);
    writer.end(value);
    writer.end(pair);
  }
}

function writeValue(writer: ProtobufWriter, value: Attributes[string] | undefined): void {
  if (typeof value === 'string') return writer.string(1, value);
  if (typeof value === 'boolean') return writeVarint(writer, 2, value ? 1 : 0);
  if (value === undefined) return;
  if (Number.isSafeInteger(value)) return writeVarint(writer, 3, value);
  writer.tag(4, FIXED64);
  writer.double(value);
}

function writeVarint(writer: ProtobufWriter, field: number, value: number): void {
  writer.tag(field, VARINT);
  writer.varint(value);
}

/** What names a process has is text: that of settings. */
function encodedResource({ attributes }: Resource): Buffer {
  const scalars: Attributes = Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[key, value]] : [],
    ),
  );
  return written(roomForAttributes(scalars) + SPAN_BYTES, (writer) => {
    writer.tag(1, DELIMITED);
    const start = writer.begin();
    writeAttributes(writer, 1, scalars);
    writeVarint(writer, 2, 0);
    writer.end(start);
  });
}

function written(room: number, write: (writer: ProtobufWriter) => void): Buffer {
  const writer = new ProtobufWriter(Buffer.allocUnsafeSlow(room));
  write(writer);
  return writer.bytes.subarray(0, writer.at);
}

/** How many bytes a span takes at most. */
function roomForSpan({ name, tracestate = '', attributes, links = [], error = '' }: EndedSpan): number {
  let room = SPAN_BYTES + roomFor(name) + roomFor(tracestate) + roomFor(error) + roomForAttributes(attributes);
  for (const link of links) room += LINK_BYTES + roomFor(link.tracestate ?? '');
  return room;
}

function roomForAttributes(attributes: Attributes): number {
  let room = 0;
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    room += 3 * FIELD_BYTES + roomFor(key) + (typeof value === 'string' ? roomFor(value) : 0);
  }
  return room;
}

function roomFor(text: string): number {
  return FIELD_BYTES + BYTES_PER_CHARACTER * text.length;
}

/** How many bytes a length takes. */
function lengthOf(length: number): number {
  let bytes = 1;
  for (let rest = length; rest > 0x7f; rest >>>= 7) bytes += 1;
  return bytes;
}
