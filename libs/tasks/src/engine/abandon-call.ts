import type { TaskView } from '../domain/projections/task-view.js';
import { CommandRejected } from '../domain/rejection.js';
import { cutText, FIELD_LIMITS } from '../field-limits.js';
import type { DetachDeps } from './detach-task.js';
import type { AbandonedCall } from './task-service.js';

/** Records that a plain call was abandoned. A task that continues is listed first, for the reason that `detachTask` has. */
export async function abandonCall({ index, writer }: DetachDeps, view: TaskView, { reason, ...call }: AbandonedCall): Promise<void> {
  const { taskId, owner, createdAt, implicit, ending } = view;
  if (ending !== undefined) return;
  if (call.continues && implicit === true) await index.list(owner, { taskId, createdAt });
  const said = reason === undefined ? {} : { reason: cutText(reason, FIELD_LIMITS.cancelReasonBytes) };
  try {
    await writer.write(taskId, { type: 'AbandonCall', at: writer.now, ...call, ...said, by: owner }, view);
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error; // It has ended since it was read.
  }
}
