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
  const task = await endOf(context, taskOf(context.given), timeLimitOf(context.given));
  context.output.entry(task, [task.taskId, task.status, ...(task.message === undefined ? [] : [task.message])].join('  '));
  return exitCodeOf(task);
}

/** How long a command waits. */
interface TimeLimit {
  /** As in `90s`. */
  readonly text: string;
  readonly ms: number;
}

/** The time of `--timeout`. @throws UserError */
export function timeLimitOf(given: VerbContext['given']): TimeLimit | undefined {
  const text = given.value('timeout');
  if (text === undefined) return undefined;
  const ms = durationMs(text);
  if (ms === undefined || ms > LONGEST_TIMER_MS)
    throw new UserError(`--timeout ${JSON.stringify(text)}: must be a duration such as 90s, and at most 24d`, EXIT.usage);
  return { text, ms };
}

/** Waits for the end of a task, at most for that time. @throws UserError when it has passed, or the user stops it */
export async function endOf(
  { api, signal }: Pick<VerbContext, 'api' | 'signal'>,
  taskId: string,
  limit: TimeLimit | undefined,
): Promise<Task> {
  const until = limit === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(limit.ms)]);
  const task = await lastOf({ api, signal: until }, taskId);
  if (task?.endedAt === undefined) throw new UserError(limit === undefined ? 'it has not ended' : `it has not ended within ${limit.text}`);
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
