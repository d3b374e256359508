import type { HistoryEvent, Task } from '@longhaul/operator';
import { EXIT } from '../api/exit-codes.js';
import { durationMs } from '../command-line/flags.js';
import { printableLine } from '@longhaul/runtime/printable';
import { UserError } from '../../user-error.js';
import { taskOf } from '../command-line/task-argument.js';
import type { VerbContext } from '../command-line/verb.js';

const MAX_DATA = 120;
/** The longest time that a timer takes; one for longer rings at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** `tasks follow`: each event of the task as it comes, until it ends. */
export async function followTask({ api, given, output, signal }: VerbContext): Promise<number> {
  for await (const { event, data } of api.events(`/tasks/${taskOf(given)}/events`, {}, signal)) {
    if (event !== 'event') continue;
    const { at, type, data: details } = data as HistoryEvent;
    output.entry(data as HistoryEvent, `${at}  ${type.padEnd(18)}  ${printableLine(JSON.stringify(details), MAX_DATA)}`);
  }
  return 0;
}

/** `wait`: until a task has ended; the exit code says how. */
export async function waitForTask(context: VerbContext): Promise<number> {
  const task = await endOf(context, taskOf(context.given));
  context.output.entry(task, [task.taskId, task.status, ...(task.message === undefined ? [] : [task.message])].join('  '));
  return exitCodeOf(task);
}

/** Waits for the end of a task, at most for the time of `--timeout`. @throws UserError when that time has passed, or the user stops it */
export async function endOf({ api, given, signal }: Pick<VerbContext, 'api' | 'given' | 'signal'>, taskId: string): Promise<Task> {
  const limit = given.value('timeout');
  const limitMs = limit === undefined ? undefined : durationMs(limit);
  if (limit !== undefined && (limitMs === undefined || limitMs > LONGEST_TIMER_MS))
    throw new UserError(`--timeout ${JSON.stringify(limit)}: must be a duration such as 90s, and at most 24d`, EXIT.usage);
  const until = limitMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const task = await lastOf({ api, signal: until }, taskId);
  if (task?.endedAt === undefined) throw new UserError(limit === undefined ? 'it has not ended' : `it has not ended within ${limit}`);
  return task;
}

/** The exit code for the end of the task. */
export function exitCodeOf({ status }: Task): number {
  if (status === 'failed') return EXIT.failed;
  return status === 'cancelled' ? EXIT.cancelled : EXIT.ok;
}

async function lastOf({ api, signal }: Pick<VerbContext, 'api' | 'signal'>, taskId: string): Promise<Task | undefined> {
  let last: Task | undefined;
  try {
    for await (const { event, data } of api.events(`/tasks/${taskId}/events`, {}, signal)) if (event === 'task') last = data as Task;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return last;
}
