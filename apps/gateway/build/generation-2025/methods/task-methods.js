/** The methods of the core tasks. */
import { TaskError } from '@longhaul/tasks';
import { z } from 'zod';
import { invalidParams } from '../../rpc/errors.js';
import { parseParams } from '../../rpc/params.js';
import { taskIdOf } from '../../rpc/task-id-param.js';
import { answerOf } from '../../rpc/tasks/outcome.js';
import { withRelatedTask } from '../wire/related-task.js';
import { statusOf, taskObject } from '../wire/task-object.js';
const ListParams = z.object({ cursor: z.string().optional() });
/** `tasks/list`: the caller's tasks, newest first. */
export function listTasks(tasks) {
    return {
        name: 'tasks/list',
        kind: 'reads',
        async handle({ params, caller }) {
            const { cursor } = parseParams(ListParams, params);
            const page = await tasks.list(caller, cursor);
            return { tasks: page.tasks.map(taskObject), ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
        },
    };
}
/** `tasks/get` */
export function getTask(tasks) {
    return {
        name: 'tasks/get',
        kind: 'reads',
        handle: async ({ params, caller }) => taskObject(await tasks.get(taskIdOf(params), caller)),
    };
}
/**
 * `tasks/result`, also of the task behind a plain call, whose client has learned its id from the error that it got
 * instead of the answer: waits for the end of the task and answers as the request behind it would have. Until
 * then the task's questions and its progress come on the same stream.
 */
export function getTaskResult(tasks, follow) {
    return {
        name: 'tasks/result',
        kind: 'waits',
        async handle(call) {
            const task = await tasks.getOfCall(taskIdOf(call.params), call.caller);
            call.operation.about(task.view);
            return withRelatedTask(answerOf(await follow(task, call)), task.view.taskId);
        },
    };
}
/** `tasks/cancel`: the task is cancelled before the answer goes out. */
export function cancelTask(tasks) {
    return {
        name: 'tasks/cancel',
        kind: 'acts',
        async handle({ params, caller, operation }) {
            // The task behind a plain call can be cancelled by that call only; reading shows that it is not found.
            const task = await tasks.get(taskIdOf(params), caller);
            operation.about(task);
            const { taskId } = task;
            try {
                return taskObject(await tasks.cancel(taskId, caller, 'The task was cancelled by request.'));
            }
            catch (error) {
                if (!(error instanceof TaskError) || error.code !== 'TASK_ENDED')
                    throw error;
                throw invalidParams(`Cannot cancel task: already in terminal status '${statusOf(error.data)}'`);
            }
        },
    };
}
//# sourceMappingURL=task-methods.js.map