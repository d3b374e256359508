import { isTaskId, TaskError } from '@longhaul/tasks';
import { invalidParams } from './errors.js';
/**
 * The task that the params name.
 *
 * @throws ProtocolError -32602 when they name none
 * @throws TaskError `TASK_NOT_FOUND` for a text that cannot be the id of a task
 */
export function taskIdOf(params) {
    const taskId = params?.['taskId'];
    if (typeof taskId !== 'string')
        throw invalidParams('Invalid params: taskId: expected string');
    if (!isTaskId(taskId))
        throw new TaskError('TASK_NOT_FOUND');
    return taskId;
}
//# sourceMappingURL=task-id-param.js.map