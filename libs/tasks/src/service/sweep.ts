/**
 * The repair of dispatch: intents that are older than any healthy dispatch takes were left behind by
 * a process that died between an append and the queue. Any worker may run it, also several at once.
 */
import type { TaskBackend } from '../backend.js';
import { nextPass } from '../domain/next-pass.js';
import type { TaskWriter } from './task-writer.js';

/** Age from which an intent counts as left behind, milliseconds. */
export const OVERDUE_MS = 5_000;
const BATCH = 200;

/**
 * Enqueues again what old intents stand for.
 *
 * @returns how many intents were found
 */
export async function sweepIntents(backend: TaskBackend, writer: TaskWriter): Promise<number> {
  const overdue = await backend.intents.overdue(writer.now - OVERDUE_MS, BATCH);
  for (const intent of overdue) {
    const due = nextPass(await writer.load(intent.taskId));
    if (due !== undefined) await backend.queue.add({ taskId: intent.taskId, pass: due.pass }, due.dueAt);
    backend.intents.settle(intent);
  }
  await backend.intents.flush();
  return overdue.length;
}
