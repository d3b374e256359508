/**
 * What processes report of what they do, apart from how it is sent: the rest of the code knows these interfaces and no SDK.
 * Without settings there is no telemetry, and nothing of the SDK is loaded (`../open-telemetry.ts`).
 */
import type { CounterName, GaugeName, HistogramName } from './instruments.js';
import type { SpanReference, TraceContext } from './trace-context.js';

/** Of a span or of a measurement. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** What kind of work a span stands for, in the words of OpenTelemetry. */
export type SpanKind = 'internal' | 'server' | 'client';

/** A span that has ended, with ids of its maker's choice. Times are epoch milliseconds. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** Whether its trace is recorded. Absent where nobody has decided that yet: then the sampler does, for the whole trace alike. */
  readonly isSampled?: boolean;
  readonly tracestate?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly links?: readonly TraceContext[];
  /** Why it failed, in words; absent: it did not. */
  readonly error?: string;
}

/** How a span ends. */
export interface SpanEnd {
  readonly attributes?: Attributes;
  readonly error?: string;
}

/** A span that goes on. */
export interface OpenSpan {
  /** For what happens within it. */
  readonly context: TraceContext;
  /** Puts it under another span if it has no parent. Nothing may have happened within it. */
  adopt(parent: SpanReference): void;
  /** Runs work as a part of the span: what it sends by HTTP continues the trace. */
  within<T>(work: () => T): T;
  /** Only the first call counts. */
  end(end?: SpanEnd): void;
}

/** What is known of a span when it begins. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** Epoch milliseconds. */
  readonly startMs: number;
  readonly attributes: Attributes;
  /** @defaultValue the span that is active, or a trace of its own */
  readonly parent?: TraceContext | undefined;
  /** Others that have to do with it; the one that is active is added if it is not the parent. */
  readonly links?: readonly TraceContext[];
}

/** Where spans go. Nothing of it throws. */
export interface Traces {
  begin(start: SpanStart): OpenSpan;
  emit(span: EndedSpan): void;
  /** Runs work as a part of the span: what it sends by HTTP continues the trace. */
  within<T>(context: TraceContext, work: () => T): T;
}

/** Where measurements go. Durations are in seconds. Nothing of it throws. */
export interface Metrics {
  /** Counts something. */
  add(name: CounterName, value: number, attributes?: Attributes): void;
  record(name: HistogramName, value: number, attributes?: Attributes): void;
  /** Asks for values whenever metrics are read, all that `read` returns at once; one that cannot be had is left out. */
  observe(names: readonly GaugeName[], read: () => Promise<Partial<Record<GaugeName, number>>> | Partial<Record<GaugeName, number>>): void;
}

/** What of it is on. */
export interface Telemetry {
  readonly traces?: Traces;
  readonly metrics?: Metrics;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}

/** Which process it is. */
export interface ReportingProcess {
  /** Its name if `OTEL_SERVICE_NAME` does not say another, such as `longhaul-worker`. */
  readonly serviceName: string;
  readonly serviceVersion?: string;
  /** Which one of several it is. */
  readonly instanceId: string;
  /** Takes what goes wrong with sending. */
  readonly log: { warn(fields: object, message: string): void };
}
