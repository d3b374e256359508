import type { TaskId, TaskView } from '@longhaul/tasks';
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/sdk/types.js';

/** The task that messages name: one that the client has asked for, and not one that a plain call has made. */
export function relatedTaskOf({ taskId, implicit, detachedAt }: TaskView): TaskId | undefined {
  return implicit === true || detachedAt !== undefined ? undefined : taskId;
}

/**
 * Adds the related task to params or a result, in addition to their existing `_meta`.
 *
 * @param taskId absent for a task without a published handle: nothing is added then
 */
export function withRelatedTask(message: Readonly<Record<string, unknown>>, taskId: TaskId | undefined): Record<string, unknown> {
  if (taskId === undefined) return { ...message };
  const meta = message['_meta'];
  return { ...message, _meta: { ...(typeof meta === 'object' && meta), [RELATED_TASK_META_KEY]: { taskId } } };
}
