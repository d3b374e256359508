import type { TaskView } from '../domain/projections/task-view.js';
import { CommandRejected } from '../domain/rejection.js';
import type { TaskIndex } from '../ports/task-index.js';
import { firstCharacters } from '../domain/text.js';
import type { TaskWriter } from '../write/task-writer.js';
import type { Detached } from './task-service.js';

/** The most characters of a client's reason that are recorded. */
const MAX_REASON_CHARACTERS = 500;

/** Where it is recorded that a task has left its plain call. */
export interface DetachDeps {
  readonly index: TaskIndex;
  readonly writer: TaskWriter;
}

/**
 * Lets a task leave its plain call. It is listed first: a list leaves tasks of plain calls out, so one that is listed too early is seen by
 * nobody, and one that has left its call is always listed.
 */
export async function detachTask({ index, writer }: DetachDeps, view: TaskView, { because, reason }: Detached): Promise<TaskView> {
  const { taskId, owner, createdAt, implicit, ending } = view;
  if (implicit !== true || ending !== undefined) return view;
  await index.list(owner, { taskId, createdAt });
  const at = writer.now;
  const said = reason === undefined ? {} : { reason: firstCharacters(reason, MAX_REASON_CHARACTERS) };
  try {
    return await writer.write(taskId, { type: 'DetachTask', at, because, afterMs: Math.max(0, at - createdAt), ...said }, view);
  } catch (error) {
    if (error instanceof CommandRejected) return view; // It has ended since it was read.
    throw error;
  }
}
