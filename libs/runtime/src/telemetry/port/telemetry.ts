/**
 * Defines how processes report telemetry, independent of how it is sent: the rest of the code knows these interfaces and no SDK. Without
 * settings there is no telemetry, and nothing of the SDK is loaded (`../open-telemetry.ts`).
 */
import type { CounterName, GaugeName, HistogramName } from './instruments.js';
import type { SpanReference, TraceContext } from './trace-context.js';

/** The attributes of a span or of a measurement. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The kind of work that a span stands for, in the words of OpenTelemetry. */
export type SpanKind = 'internal' | 'server' | 'client';

/** A span that has ended, with ids that its maker chose. Times are epoch milliseconds. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** Whether its trace is recorded. Absent if it is not decided yet: then the sampler decides for the whole trace. */
  readonly isSampled?: boolean;
  readonly tracestate?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly links?: readonly TraceContext[];
  /** Why it failed, in words; absent: it succeeded. */
  readonly error?: string;
}

/** How a span ends. */
export interface SpanEnd {
  readonly attributes?: Attributes;
  readonly error?: string;
}

/** A span that has not ended. */
export interface OpenSpan {
  /** The context for work inside the span. */
  readonly context: TraceContext;
  /** Makes the span a child of another span if it has no parent. The span must not have children yet. */
  adopt(parent: SpanReference): void;
  /** Runs work as a part of the span: its HTTP requests continue the trace. */
  within<T>(work: () => T): T;
  /** Only the first call counts. */
  end(end?: SpanEnd): void;
}

/** The known facts when a span begins. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** Epoch milliseconds. */
  readonly startMs: number;
  readonly attributes: Attributes;
  /** @defaultValue the active span, or a new trace */
  readonly parent?: TraceContext | undefined;
  /** Related spans; the active span is added if it is not the parent. */
  readonly links?: readonly TraceContext[];
}

/** Where spans go. No member throws. */
export interface Traces {
  begin(start: SpanStart): OpenSpan;
  emit(span: EndedSpan): void;
  /** Runs work as a part of the span: its HTTP requests continue the trace. */
  within<T>(context: TraceContext, work: () => T): T;
}

/** Where measurements go. Durations are in seconds. No member throws. */
export interface Metrics {
  /** Counts something. */
  add(name: CounterName, value: number, attributes?: Attributes): void;
  record(name: HistogramName, value: number, attributes?: Attributes): void;
  /** Asks for values whenever metrics are read, all that `read` returns at once; unavailable values are left out. */
  observe(names: readonly GaugeName[], read: () => Promise<Observed> | Observed): void;
}

/** The values of gauges: one, or several that their attributes tell apart. */
export type Observed = Partial<Record<GaugeName, number | readonly { readonly value: number; readonly attributes: Attributes }[]>>;

/** The telemetry of a process. */
export interface Telemetry {
  readonly traces?: Traces;
  readonly metrics?: Metrics;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}

/** Which process it is. */
export interface ReportingProcess {
  /** Its name if `OTEL_SERVICE_NAME` does not set another one, such as `longhaul-worker`. */
  readonly serviceName: string;
  readonly serviceVersion?: string;
  /** The id of this instance among several. */
  readonly instanceId: string;
  /** Logs failures to send. */
  readonly log: { warn(fields: object, message: string): void };
}
