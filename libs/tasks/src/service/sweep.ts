/**
 * The repair of dispatch, and the keeper of deadlines. Intents that are older than any healthy dispatch
 * takes were left behind by a process that died between an append and the queue; those that were dated
 * for a deadline have reached it. Any worker may sweep, also several at once.
 */
import type { TaskBackend } from '../backend.js';
import { nextPass } from '../domain/next-pass.js';
import { CommandRejected } from '../domain/rejection.js';
import type { TaskId } from '../domain/task-id.js';
import { restore } from '../projections/standing.js';
import type { TaskView } from '../projections/task-view.js';
import { OVERDUE_MS, type TaskWriter } from './task-writer.js';

const BATCH = 200;

/**
 * Deals with old intents: ends tasks whose deadline has passed, and enqueues passes that are due.
 *
 * @returns how many intents were found
 */
export async function sweepIntents(backend: TaskBackend, writer: TaskWriter): Promise<number> {
  const overdue = await backend.intents.overdue(writer.now - OVERDUE_MS, BATCH);
  for (const intent of overdue) {
    const { taskId } = intent;
    const view = await expire(writer, taskId);
    const due = view && nextPass(restore(view));
    if (due !== undefined) await backend.queue.add({ taskId, pass: due.pass }, due.dueAt);
    backend.intents.settle(intent);
  }
  await backend.intents.flush();
  return overdue.length;
}

/** Ends the task if one of its deadlines has passed. @returns its view afterwards; nothing when it is gone or had ended */
export async function expire(writer: TaskWriter, taskId: TaskId): Promise<TaskView | undefined> {
  try {
    return await writer.write(taskId, { type: 'ExpireTask', at: writer.now });
  } catch (error) {
    if (error instanceof CommandRejected) return undefined;
    throw error;
  }
}
