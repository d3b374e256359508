import type { TaskService } from '@longhaul/tasks';
import { answerOf } from '../../rpc/tasks/outcome.js';
import { withRelatedTask } from '../related-task.js';
import type { FollowTask } from './follow-task.js';
import type { Method } from '../../rpc/method.js';
import { taskIdOf } from '../../rpc/task-id-param.js';

/**
 * `tasks/result`, also of the task behind a plain call, whose client has learned its id from the error that it got
 * instead of the answer: waits for the end of the task and answers as the request behind it would have. Until
 * then the task's questions and its progress come on the same stream.
 */
export function getTaskResult(tasks: TaskService, follow: FollowTask): Method {
  return {
    name: 'tasks/result',
    kind: 'waits',
    async handle(call) {
      const view = await tasks.getOfCall(taskIdOf(call.params), call.caller);
      return withRelatedTask(answerOf(await follow(view, call)), view.taskId);
    },
  };
}
