/**
 * Retries a task once, however many ask for it at the same time, in any number of processes. The new task has an id that follows from the
 * id of the recorded one, so two that retry it at once make the same task. What was made is noted in the index of operators, after it was
 * made: a process that dies between the two leaves a task that the next one finds by its id.
 */
import { createHash } from 'node:crypto';
import { rowOf } from '../domain/projections/task-row.js';
import type { TaskView } from '../domain/projections/task-view.js';
import { isTaskId, type TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { TaskCreation } from './create-task.js';
import { type ForkOptions, forkTask } from './fork-task.js';
import type { RetryRequest } from './operator-service.js';

/**
 * Makes a task that does a recorded one again.
 *
 * Failure semantics: after a crash or a lost reply, the same request makes no second task.
 *
 * @returns the view of the new task
 * @throws TaskError `ALREADY_RETRIED`, with the id of the new task as `data.retriedAs`; and as `forkTask`
 */
export async function retryTask(creation: TaskCreation, origin: string, request: RetryRequest): Promise<TaskView> {
  const { arguments: args, patch, by, force = false, forcedId } = request;
  const { events, operators } = creation.store;
  const [view] = isTaskId(origin) ? await events.views([origin], 'operator') : [];
  if (view === undefined) throw new TaskError('TASK_NOT_FOUND', `There is no task "${origin}", or it has expired.`);
  const firstId = taskIdFrom(`longhaul retry ${view.taskId}`);
  if (!force) {
    const present = await retryOf(creation, view, firstId);
    if (present !== undefined && present.forkedFrom?.by !== by) throw alreadyRetried(present.taskId);
    if (present !== undefined) return present;
  }
  const newId = force ? (forcedId ?? creation.newTaskId()) : firstId;
  const options: ForkOptions = { from: beginningOf(request, view), arguments: args, patch, by };
  const made = await forkTask({ ...creation, newTaskId: () => newId }, origin, options);
  await operators.noteRetry(rowOf(view), made.taskId);
  if (made.forkedFrom?.by !== by && !force) throw alreadyRetried(made.taskId);
  return made;
}

function beginningOf({ from = 'start' }: RetryRequest, { ending }: TaskView): ForkOptions['from'] {
  if (from !== 'failed-step') return from;
  return ending?.step === undefined ? 'start' : { step: ending.step };
}

/** The task that does it again, if there is one: the one that is noted, or the one that a process has made and not noted. */
async function retryOf({ store }: TaskCreation, view: TaskView, firstId: TaskId): Promise<TaskView | undefined> {
  const { events, operators } = store;
  const noted = (await operators.retries([view.taskId])).get(view.taskId);
  const views = await events.views(noted === undefined ? [firstId] : [noted, firstId], 'operator');
  const present = views.find((each) => each !== undefined);
  if (present !== undefined && noted === undefined) await operators.noteRetry(rowOf(view), present.taskId);
  return present;
}

function alreadyRetried(retriedAs: TaskId): TaskError {
  return new TaskError('ALREADY_RETRIED', `The task was retried as ${retriedAs}. Force it to make one more task.`, { retriedAs });
}

/** The id of a task, the same for the same text. */
export function taskIdFrom(text: string): TaskId {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  // The marks of a random UUID, because task ids are such.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-') as TaskId;
}
