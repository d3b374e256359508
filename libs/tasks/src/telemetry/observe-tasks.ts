import type { ObservedAppend, ObservedStep, TaskObserver } from '../ports/task-observer.js';
import { countAppend } from './count-append.js';
import { stepSpanId, traceOfTask, traceparentOf } from './span-ids.js';
import { spansOf } from './task-spans.js';
import type { TaskSpan, TaskTelemetry } from './task-telemetry.js';

/**
 * Makes the observers that report the tasks of a process, as far as telemetry is on.
 *
 * @param hashOf replaces a task's id in logs
 * @param hidesMessages leaves out texts of tools and callers. @defaultValue false
 */
export function observeTasks({ traces, metrics }: TaskTelemetry, hashOf: (taskId: string) => string, hidesMessages = false): TaskObserver {
  const shown = (span: TaskSpan): TaskSpan =>
    hidesMessages && span.error !== undefined ? { ...span, error: String(span.attributes['error.type']) } : span;
  return {
    onAppend(append: ObservedAppend) {
      if (metrics !== undefined) countAppend(metrics, append);
      if (traces !== undefined) for (const span of spansOf(append, hashOf)) traces.emit(shown(span));
    },
    onRepair: (repair) => metrics?.add('longhaul.sweep.repairs', 1, { 'longhaul.repair': repair }),
    runStep({ taskId, state, key, attempt }: ObservedStep, body) {
      if (traces === undefined) return body();
      const { task } = state;
      const trace = traceOfTask(taskId, task);
      const traceparent = traceparentOf(trace, stepSpanId(taskId, state, key, attempt));
      const { tracestate } = trace;
      const baggage = task?.baggage;
      const context = { traceparent, ...(tracestate !== undefined && { tracestate }), ...(baggage !== undefined && { baggage }) };
      return traces.within(context, body);
    },
  };
}
