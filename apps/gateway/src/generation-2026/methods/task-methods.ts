/** `tasks/get`, `tasks/update` and `tasks/cancel` of the tasks extension. */
import { TaskError, type TaskService } from '@longhaul/tasks';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { invalidParams } from '../../rpc/errors.js';
import { taskIdOf } from '../../rpc/task-id-param.js';
import { tasksExtensionMissing } from '../failures.js';
import { answerTo } from '../multi-round-trip/input-requests.js';
import type { RequestCall } from '../request-call.js';
import { taskDetails } from './task-details.js';

/** A method of the extension. */
export type TaskMethod = (request: RequestCall) => Promise<Result>;

/** @returns the methods by their names; all refuse clients without the extension, before they look anything up */
export function taskMethods(tasks: TaskService): Readonly<Record<string, TaskMethod>> {
  return {
    'tasks/get': guarded(async ({ call }) => {
      const { view, outcome } = await tasks.getWithOutcome(taskIdOf(call.params), call.caller);
      return { ...taskDetails(view, outcome, { capabilities: call.session.client().capabilities, now: Date.now() }) };
    }),
    'tasks/update': guarded((request) => update(tasks, request)),
    'tasks/cancel': guarded((request) => cancel(tasks, request)),
  };
}

function guarded(method: TaskMethod): TaskMethod {
  return async (request) => {
    if (!request.knowsTasks) throw tasksExtensionMissing();
    return method(request);
  };
}

/** Answers are checked before any is recorded; those to what is not asked are passed over. */
async function update(tasks: TaskService, { call, round }: RequestCall): Promise<Result> {
  const { inputResponses, isAnswered, unreadable } = round;
  const id = taskIdOf(call.params);
  if (!isAnswered) throw invalidParams('Invalid params: inputResponses: expected object');
  const { taskId, pendingInputs } = await tasks.get(id, call.caller);
  const wrong = pendingInputs.find(({ key }) => unreadable.includes(key));
  if (wrong !== undefined) throw invalidParams(`inputResponses.${wrong.key}: expected the result itself, an object`);
  const answered = pendingInputs.filter(({ key }) => Object.hasOwn(inputResponses, key));
  for (const asked of answered) {
    const answer = answerTo(asked, inputResponses[asked.key]);
    if ('error' in answer) throw invalidParams(`inputResponses.${asked.key}: ${answer.error.message}`);
  }
  for (const { key } of answered)
    await tasks.provideInput(taskId, key, (asked) => answerTo(asked, inputResponses[key]), call.caller, 'tasks/update');
  return {};
}

/** A task that has ended is acknowledged like any other one. */
async function cancel(tasks: TaskService, { call }: RequestCall): Promise<Result> {
  const { taskId } = await tasks.get(taskIdOf(call.params), call.caller);
  try {
    await tasks.cancel(taskId, call.caller, 'The task was cancelled by request.');
  } catch (error) {
    if (!(error instanceof TaskError) || error.code !== 'TASK_ENDED') throw error;
  }
  return {};
}
