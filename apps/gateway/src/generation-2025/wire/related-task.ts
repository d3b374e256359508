import type { TaskId, TaskView } from '@longhaul/tasks';
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/sdk/types.js';

/** The task that messages name: a task whose handle the client has received. */
export function relatedTaskOf({ taskId, implicit }: TaskView): TaskId | undefined {
  return implicit === true ? undefined : taskId;
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
