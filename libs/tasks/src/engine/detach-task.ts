import type { DetachTask } from '../domain/commands.js';
import type { TaskView } from '../domain/projections/task-view.js';
import { CommandRejected } from '../domain/rejection.js';
import { cutText, FIELD_LIMITS } from '../field-limits.js';
import type { TaskWriter } from '../write/task-writer.js';
import type { Detached } from './task-service.js';

/** Records that a task has left its plain call. */
export async function detachTask(writer: TaskWriter, view: TaskView, detached: Detached): Promise<TaskView> {
  const { taskId, createdAt, implicit, ending } = view;
  if (implicit !== true || ending !== undefined) return view;
  const at = writer.now;
  try {
    return await writer.write(taskId, { type: 'DetachTask', at, afterMs: Math.max(0, at - createdAt), ...bounded(detached) }, view);
  } catch (error) {
    if (error instanceof CommandRejected) return view; // It has ended since it was read.
    throw error;
  }
}

/** What a client says is cut to what is recorded of it. */
function bounded({ because, reason, how, client, continuedBy }: Detached): Omit<DetachTask, 'type' | 'at' | 'afterMs'> {
  return {
    because,
    ...(reason !== undefined && { reason: cutText(reason, FIELD_LIMITS.cancelReasonBytes) }),
    ...(how !== undefined && { how }),
    ...(client !== undefined && { client: cutText(client, FIELD_LIMITS.nameBytes) }),
    ...(continuedBy !== undefined && { continuedBy }),
  };
}
