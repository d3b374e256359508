/** Defines the methods of the core tasks. */
import { TaskError, type TaskView } from '@longhaul/tasks';
import { z } from 'zod';
import { invalidParams } from '../../rpc/errors.js';
import type { SessionMethod } from '../requests/session-call.js';
import { parseParams, taskIdOf } from '../../rpc/params.js';
import { exposedMeta } from '../../rpc/tasks/exposed-meta.js';
import { answerOf } from '../../rpc/tasks/outcome.js';
import { withRelatedTask } from '../wire/related-task.js';
import { statusOf, taskObject } from '../wire/task-object.js';
import type { FollowTask } from '../input-requests/follow-task.js';
import type { ScopedTasks } from '../../rpc/tasks/scoped-tasks.js';

const ListParams = z.object({ cursor: z.string().optional() });

/** `tasks/list`: the caller's tasks, newest first. */
export function listTasks(tasks: ScopedTasks): SessionMethod {
  return {
    name: 'tasks/list',
    kind: 'reads',
    async handle({ params, caller }) {
      const { cursor } = parseParams(ListParams, params);
      const page = await tasks.list(caller, { cursor });
      return { tasks: page.tasks.map(taskObject), ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
    },
  };
}

/** `tasks/get` */
export function getTask(tasks: ScopedTasks): SessionMethod {
  return {
    name: 'tasks/get',
    kind: 'reads',
    async handle({ params, caller }) {
      const view = await tasks.get(taskIdOf(params), caller);
      return { ...taskObject(view), ...exposedMeta(view) };
    },
  };
}

/**
 * `tasks/result`: waits for the end of the task and answers as the original request would have. It also works for the task behind a plain
 * call, because the client may have learned its id from an error. Until then the same stream carries the task's questions and its progress.
 */
export function getTaskResult(tasks: ScopedTasks, follow: FollowTask): SessionMethod {
  return {
    name: 'tasks/result',
    kind: 'waits',
    async handle(call) {
      const task = await tasks.getOfCall(taskIdOf(call.params), call.caller);
      call.operation.about(task.view);
      const followed = await follow(task, call);
      if ('left' in followed) throw new RangeError('A request that waits for the end of a task has left it.');
      return withRelatedTask(answerOf(followed.outcome), task.view.taskId);
    },
  };
}

/** `tasks/cancel`: the task is cancelled before the answer is sent. */
export function cancelTask(tasks: ScopedTasks): SessionMethod {
  return {
    name: 'tasks/cancel',
    kind: 'acts',
    async handle({ params, caller, operation }) {
      // Only the plain call itself can cancel the task behind it; this read answers that it is not found.
      const task = await tasks.get(taskIdOf(params), caller);
      operation.about(task);
      const { taskId } = task;
      try {
        return taskObject(await tasks.cancel(taskId, caller, 'The task was cancelled by request.'));
      } catch (error) {
        if (!(error instanceof TaskError) || error.code !== 'TASK_ENDED') throw error;
        throw invalidParams(`Cannot cancel task: already in terminal status '${statusOf(error.data as TaskView)}'`);
      }
    },
  };
}
