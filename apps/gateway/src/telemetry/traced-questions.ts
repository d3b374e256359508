/**
 * What a client is asked names the trace that its work on the answer belongs to, in `_meta` as MCP's conventions have it. For what
 * a task asks that is the span of the wait, whose id follows from the record: it is the same at every gateway that asks.
 */
import type { TaskService, TaskSnapshot, TaskView } from '@longhaul/tasks';
import { traceOfTask, traceparentOf, waitSpanId } from '@longhaul/tasks/telemetry';
import { withTrace } from '../rpc/with-trace.js';

/** The tasks, with what they ask continuing their traces. */
export function withTracedQuestions(tasks: TaskService): TaskService {
  return {
    ...tasks,
    get: async (taskId, caller) => tracedView(await tasks.get(taskId, caller)),
    getWithOutcome: async (taskId, caller) => traced(await tasks.getWithOutcome(taskId, caller)),
    getOfCall: async (taskId, caller) => traced(await tasks.getOfCall(taskId, caller)),
    async *follow(from, signal) {
      for await (const snapshot of tasks.follow(from, signal)) yield traced(snapshot);
    },
  };
}

/** Most tasks ask nothing. */
function traced<Snapshot extends TaskSnapshot>(snapshot: Snapshot): Snapshot {
  const view = tracedView(snapshot.view);
  return view === snapshot.view ? snapshot : { ...snapshot, view };
}

function tracedView(view: TaskView): TaskView {
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
