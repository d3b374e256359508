/** Handles `tasks/get`, `tasks/update` and `tasks/cancel` of the tasks extension. */
import { TaskError } from '@longhaul/tasks';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { invalidParams } from '../../rpc/errors.js';
import type { MethodName } from '../../rpc/methods.js';
import { taskIdOf } from '../../rpc/params.js';
import { tasksExtensionMissing } from '../requests/failures.js';
import { answerOrReason, answerTo } from '../multi-round-trip/input-requests.js';
import type { ModernMethod } from '../requests/modern-method.js';
import type { RequestCall } from '../requests/request-call.js';
import { taskDetails } from './task-details.js';
import type { PlainCalls } from '../../rpc/plain-calls/plain-calls.js';
import { exposedMeta } from '../../rpc/tasks/exposed-meta.js';
import type { ScopedTasks } from '../../rpc/tasks/scoped-tasks.js';

/** All of them refuse clients without the extension, before they read anything. */
export function taskMethods(tasks: ScopedTasks, plainCalls: Pick<PlainCalls, 'waitingFor'>): readonly ModernMethod[] {
  return [
    { ...method('tasks/get', (request) => get(tasks, plainCalls, request)), isRead: true },
    method('tasks/update', (request) => update(tasks, request)),
    method('tasks/cancel', (request) => cancel(tasks, request)),
  ];
}

function method(name: MethodName, run: (request: RequestCall) => Promise<Result>): Extract<ModernMethod, { kind: 'answers' }> {
  const answer = async (request: RequestCall): Promise<Result> => {
    if (!request.knowsTasks) throw tasksExtensionMissing();
    return run(request);
  };
  return { name, kind: 'answers', answer };
}

async function get(tasks: ScopedTasks, plainCalls: Pick<PlainCalls, 'waitingFor'>, { call }: RequestCall): Promise<Result> {
  const { view, outcome } = await tasks.getWithOutcome(taskIdOf(call.params), call.caller);
  call.operation.about(view);
  const statusMessage = plainCalls.waitingFor(view, call.requester);
  const details = taskDetails(view, outcome, { capabilities: call.requester.client().capabilities, now: Date.now() });
  return { ...details, ...(statusMessage !== undefined && { statusMessage }), ...exposedMeta(view) };
}

/** Answers are checked before any is recorded; answers to unasked questions are ignored. */
async function update(tasks: ScopedTasks, { call, round }: RequestCall): Promise<Result> {
  const { inputResponses, isAnswered, unreadable } = round;
  const id = taskIdOf(call.params);
  if (!isAnswered) throw invalidParams('Invalid params: inputResponses: expected object');
  const view = await tasks.get(id, call.caller);
  call.operation.about(view);
  const { taskId, pendingInputs } = view;
  const wrong = pendingInputs.find(({ key }) => unreadable.includes(key));
  if (wrong !== undefined) throw invalidParams(`inputResponses.${wrong.key}: expected the result itself, an object`);
  const answered = pendingInputs.filter(({ key }) => Object.hasOwn(inputResponses, key));
  for (const asked of answered) {
    const answer = answerOrReason(asked, inputResponses[asked.key]);
    if ('reason' in answer) throw invalidParams(`inputResponses.${asked.key}: ${answer.reason}`);
  }
  for (const { key } of answered)
    await tasks.provideInput(taskId, key, (asked) => answerTo(asked, inputResponses[key]), call.caller, { via: 'tasks/update' });
  return {};
}

/** A task that has ended is acknowledged like any other one. */
async function cancel(tasks: ScopedTasks, { call }: RequestCall): Promise<Result> {
  const view = await tasks.get(taskIdOf(call.params), call.caller);
  call.operation.about(view);
  const { taskId } = view;
  try {
    await tasks.cancel(taskId, call.caller, 'The task was cancelled by request.');
  } catch (error) {
    if (!(error instanceof TaskError) || error.code !== 'TASK_ENDED') throw error;
  }
  return {};
}
