import { randomUUID } from 'node:crypto';
import type { SessionJobRun, TaskJob } from './task-queue.js';

/**
 * The id by which a queue knows that it has a job already. A delayed job has another id than the
 * immediate one of the same pass: an answer that arrives before a timer must not be held up by it.
 * BullMQ allows neither `:` nor a plain integer.
 *
 * @param dueAt epoch milliseconds; 0 for a job that is not delayed
 */
export function jobIdOf({ taskId, pass }: TaskJob, dueAt: number): string {
  return dueAt > 0 ? `${taskId}-${pass}-${dueAt}` : `${taskId}-${pass}`;
}

/** The id of a job for a task that was given back, never the same twice: the job before may not have ended yet. */
export function givenBackJobId({ taskId, pass }: TaskJob): string {
  return `${taskId}-${pass}-${randomUUID()}`;
}

/** The same for a session job: one for each start. */
export function sessionJobIdOf({ runId }: SessionJobRun): string {
  return `session-${runId}`;
}
