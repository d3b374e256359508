import { traceOfTask, traceparentOf, waitSpanId } from '@longhaul/tasks/telemetry';
import { withTrace } from '../rpc/with-trace.js';
/** The task, with what it asks continuing its trace. Most tasks ask nothing. */
export function withTracedQuestions(view) {
    const { taskId, pendingInputs, trace, traceState } = view;
    if (pendingInputs.length === 0)
        return view;
    const created = { ...(trace !== undefined && { trace }), ...(traceState !== undefined && { traceState }) };
    const { tracestate, ...of } = traceOfTask(taskId, created);
    return {
        ...view,
        pendingInputs: pendingInputs.map((input) => {
            if (input.askedAt === undefined)
                return input;
            const traceparent = traceparentOf(of, waitSpanId(taskId, input.key, input.askedAt));
            const params = withTrace(input.params, { traceparent, ...(tracestate !== undefined && { tracestate }) });
            return Object.assign({}, input, { params });
        }),
    };
}
//# sourceMappingURL=traced-questions.js.map