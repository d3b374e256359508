import type { DetachTask } from '../domain/commands.js';
import type { TaskView } from '../domain/projections/task-view.js';
import { CommandRejected } from '../domain/rejection.js';
import type { TaskIndex } from '../ports/task-index.js';
import { cutText, FIELD_LIMITS } from '../field-limits.js';
import type { TaskWriter } from '../write/task-writer.js';
import type { Detached } from './task-service.js';

/** Where it is recorded that a task has left its plain call. */
export interface DetachDeps {
  readonly index: TaskIndex;
  readonly writer: TaskWriter;
}

/**
 * Lets a task leave its plain call. It is listed first: a list leaves tasks of plain calls out, so one that is listed too early is seen by
 * nobody, and one that has left its call is always listed.
 */
export async function detachTask({ index, writer }: DetachDeps, view: TaskView, detached: Detached): Promise<TaskView> {
  const { taskId, owner, createdAt, implicit, ending } = view;
  if (implicit !== true || ending !== undefined) return view;
  await index.list(owner, { taskId, createdAt });
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
