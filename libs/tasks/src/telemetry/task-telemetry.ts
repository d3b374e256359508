/** Defines the telemetry that this folder needs. The process provides it, and decides how it is sent. */

/** A span of a task, complete. Times are epoch milliseconds; ids are hexadecimal. */
export interface TaskSpan {
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** Absent if it is undecided whether the trace is recorded. */
  readonly isSampled?: boolean;
  readonly tracestate?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed; absent if it did not. */
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
  | 'longhaul.tasks.cost'
  | 'longhaul.tasks.tokens'
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
    /** @param seconds the measured time */
    record(name: TaskHistogram, seconds: number, labels: Labels): void;
  };
}
