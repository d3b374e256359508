/**
 * Names the key by which the limit of its tool counts a task: a hash, because the key is made of arguments and stands in the queue as it is. It
 * follows from the first event alone, so that it is the same on every worker, in every pass, and after `continueAsNew` for as long as the
 * stream has its first event.
 */
import { createHash } from 'node:crypto';
import { beginningOf } from '../domain/beginning.js';
import type { TaskCreatedData } from '../domain/events.js';
import { isStoreError } from '../errors.js';
import type { EventStore } from '../ports/event-store.js';
import type { TaskJob } from '../ports/task-queue.js';
import type { LimitByKey, WorkflowRegistry } from '../replay/workflow.js';

/** Dependencies of the keys. */
export interface KeysOfTasksDeps {
  readonly events: Pick<EventStore, 'readPage'>;
  readonly workflows: WorkflowRegistry;
  /** Called with the error of a tool's function. */
  readonly onError: (error: unknown) => void;
}

/** Reads the key of a job's task: see `ConsumeOptions.keyOf`. */
export function keysOfTasks({ events, workflows, onError }: KeysOfTasksDeps): (job: TaskJob) => Promise<string | undefined> {
  return async ({ taskId, tool = '' }) => {
    const limit = workflows(tool)?.limit;
    if (limit === undefined) return undefined;
    const task = await firstOf(events, taskId);
    return task && hashOf(keyOf(limit, task, { taskId, onError }));
  };
}

/** Nothing for a task that is gone, or whose history cannot be read: its pass finds that out. */
async function firstOf(events: KeysOfTasksDeps['events'], taskId: TaskJob['taskId']): Promise<TaskCreatedData | undefined> {
  try {
    return beginningOf((await events.readPage(taskId, 0, 1, true)).events[0])?.task;
  } catch (error) {
    if (isStoreError(error)) throw error;
    return undefined;
  }
}

/** A task without a key of its own counts together with the others that have none. */
function keyOf(
  limit: LimitByKey,
  task: TaskCreatedData,
  { taskId, onError }: Pick<KeysOfTasksDeps, 'onError'> & Pick<TaskJob, 'taskId'>,
): string {
  const { owner, auth } = task;
  try {
    const key = limit.key(task.arguments, { taskId, owner, auth });
    return ['string', 'number', 'boolean'].includes(typeof key) ? JSON.stringify(key) : '';
  } catch (error) {
    onError(new Error(`The function limit.key of tool ${task.tool} has thrown.`, { cause: error }));
    return '';
  }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
