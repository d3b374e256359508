import { TaskError, type TaskService, type TaskView } from '@longhaul/tasks';
import { invalidParams } from '../../rpc/errors.js';
import { statusOf, taskObject } from '../task-object.js';
import type { Method } from '../../rpc/method.js';
import { taskIdOf } from '../../rpc/task-id-param.js';

/** `tasks/cancel`: the task is cancelled before the answer goes out. */
export function cancelTask(tasks: TaskService): Method {
  return {
    name: 'tasks/cancel',
    kind: 'acts',
    async handle({ params, caller }) {
      // The task behind a plain call can be cancelled by that call only; reading shows that it is not found.
      const { taskId } = await tasks.get(taskIdOf(params), caller);
      try {
        return taskObject(await tasks.cancel(taskId, caller, 'The task was cancelled by request.'));
      } catch (error) {
        if (!(error instanceof TaskError) || error.code !== 'TASK_ENDED') throw error;
        throw invalidParams(`Cannot cancel task: already in terminal status '${statusOf(error.data as TaskView)}'`);
      }
    },
  };
}
