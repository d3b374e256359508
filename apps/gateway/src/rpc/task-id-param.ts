import { isTaskId, TaskError, type TaskId } from '@longhaul/tasks';
import { invalidParams } from './errors.js';

/**
 * The id of the task in the params.
 *
 * @throws ProtocolError -32602 when there is none
 * @throws TaskError `TASK_NOT_FOUND` for a text that cannot be the id of a task
 */
export function taskIdOf(params: Readonly<Record<string, unknown>> | undefined): TaskId {
  const taskId = params?.['taskId'];
  if (typeof taskId !== 'string') throw invalidParams('Invalid params: taskId: expected string');
  if (!isTaskId(taskId)) throw new TaskError('TASK_NOT_FOUND');
  return taskId;
}
