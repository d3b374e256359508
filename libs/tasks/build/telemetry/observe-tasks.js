import { countAppend } from './count-append.js';
import { stepSpanId, traceOfTask, traceparentOf } from './span-ids.js';
import { spansOf } from './task-spans.js';
/**
 * What reports the tasks of a process, as far as telemetry is on.
 *
 * @param hashOf what logs have in the place of a task's id
 * @param hidesMessages leaves out what tools and callers have said. @defaultValue false
 */
export function observeTasks({ traces, metrics }, hashOf, hidesMessages = false) {
    const shown = (span) => hidesMessages && span.error !== undefined ? { ...span, error: String(span.attributes['error.type']) } : span;
    return {
        onAppend(append) {
            if (metrics !== undefined)
                countAppend(metrics, append);
            if (traces !== undefined)
                for (const span of spansOf(append, hashOf))
                    traces.emit(shown(span));
        },
        onRepair: (repair) => metrics?.add('longhaul.sweep.repairs', 1, { 'longhaul.repair': repair }),
        runStep({ taskId, state, key, attempt }, body) {
            if (traces === undefined)
                return body();
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
//# sourceMappingURL=observe-tasks.js.map