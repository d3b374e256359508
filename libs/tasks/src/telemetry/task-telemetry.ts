/** What this folder needs of telemetry. The process brings it; how it is sent is not known here. */

/** A span of a task, complete. Times are epoch milliseconds; ids are hexadecimal. */
export interface TaskSpan {
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** Absent where nobody has decided whether the trace is recorded. */
  readonly isSampled?: boolean;
  readonly tracestate?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed; absent: it did not. */
  readonly error?: string;
}

/** W3C trace context. */
export interface SpanContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

export type TaskCounter =
  | 'longhaul.tasks.created'
  | 'longhaul.tasks.ended'
  | 'longhaul.passes.started'
  | 'longhaul.passes.lost'
  | 'longhaul.passes.retried'
  | 'longhaul.steps.retried'
  | 'longhaul.sweep.repairs';

export type TaskHistogram = 'longhaul.task.duration' | 'longhaul.pass.pickup.duration' | 'longhaul.step.duration';

type Labels = Readonly<Record<string, string>>;

/** Where spans and measurements go, as far as they are on. */
export interface TaskTelemetry {
  readonly traces?: {
    emit(span: TaskSpan): void;
    within<T>(context: SpanContext, work: () => T): T;
  };
  readonly metrics?: {
    add(name: TaskCounter, value: number, labels: Labels): void;
    /** @param seconds what was measured */
    record(name: TaskHistogram, seconds: number, labels: Labels): void;
  };
}
