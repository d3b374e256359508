/** The entry `@longhaul/tasks/telemetry`: what is reported of tasks. */
export { observeLoad } from './observe-load.js';
export { observeTasks } from './observe-tasks.js';
export { traceOfTask, traceparentOf, taskSpanId, waitSpanId } from './span-ids.js';
//# sourceMappingURL=index.js.map