/**
 * Adds to requests to a client the trace that its work on the answer belongs to, in `_meta` as in MCP's conventions. For a task's questions
 * that is the span of the wait. Its id follows from the record, so it is the same at every gateway that asks.
 */
import type { TaskView } from '@longhaul/tasks';
import { traceOfTask, traceparentOf, waitSpanId } from '@longhaul/tasks/telemetry';
import { withTrace } from '../rpc/with-trace.js';

/** The task, with questions that continue its trace. Most tasks ask nothing. */
export function withTracedQuestions(view: TaskView): TaskView {
  const { taskId, pendingInputs, trace, traceState } = view;
  if (pendingInputs.length === 0) return view;
  const created = { ...(trace !== undefined && { trace }), ...(traceState !== undefined && { traceState }) };
  const { tracestate, ...of } = traceOfTask(taskId, created);
  return {
    ...view,
    pendingInputs: pendingInputs.map((input) => {
      if (input.askedAt === undefined) return input;
      const traceparent = traceparentOf(of, waitSpanId(taskId, input.key, input.askedAt));
      const params = withTrace(input.params, { traceparent, ...(tracestate !== undefined && { tracestate }) });
      return Object.assign({}, input, { params });
    }),
  };
}
