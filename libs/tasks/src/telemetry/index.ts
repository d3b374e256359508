/** Exports `@longhaul/tasks/telemetry`: metrics, spans and load of tasks. */
export { observeLoad } from './observe-load.js';
export { observeTasks } from './observe-tasks.js';
export { traceOfTask, traceparentOf, taskSpanId, waitSpanId } from './span-ids.js';
export type { TaskTelemetry } from './task-telemetry.js';
