/**
 * Builds the Task object of revision 2025-11-25. The status is derived: the log stores how a task ended, and this revision calls a tool's
 * own error result `failed`.
 */
import type { TaskView } from '@longhaul/tasks';
import type { Task } from '@modelcontextprotocol/sdk/types.js';

/** The task as `tasks/get`, `tasks/list`, `tasks/cancel` and a created task show it. */
export function taskObject(view: TaskView): Task {
  const status = statusOf(view);
  const statusMessage = statusMessageOf(view);
  return {
    taskId: view.taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(view.createdAt).toISOString(),
    lastUpdatedAt: new Date(view.updatedAt).toISOString(),
    ttl: view.ttlMs,
    pollInterval: view.pollIntervalMs,
  };
}

/** The status of the task in the words of this revision. */
export function statusOf({ ending, pendingInputs }: TaskView): Task['status'] {
  if (ending === undefined) return pendingInputs.length > 0 ? 'input_required' : 'working';
  if (ending.kind === 'cancelled') return 'cancelled';
  return ending.kind === 'error' || ending.isError ? 'failed' : 'completed';
}

function statusMessageOf(view: TaskView): string | undefined {
  switch (statusOf(view)) {
    case 'completed':
      return undefined; // The workflow's last message is about work that has ended.
    case 'failed':
      return view.ending?.message ?? 'The tool answered with an error: tasks/result has it.';
    case 'cancelled':
      return view.ending?.message ?? 'The task was cancelled.';
    default:
      return view.statusMessage;
  }
}
