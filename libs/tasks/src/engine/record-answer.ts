import { type AskedQuestion, fittingAnswer } from '../domain/fitting-answer.js';
import type { InputAnswer } from '../domain/events.js';
import type { PendingInput, TaskView } from '../domain/projections/task-view.js';
import { CommandRejected } from '../domain/rejection.js';
import { TaskError } from '../errors.js';
import type { TaskWriter } from '../write/task-writer.js';
import type { AnswerDoor } from './task-service.js';

/** An answer, and the way in which it came. */
export interface GivenAnswer {
  readonly answer: (asked: PendingInput) => InputAnswer;
  readonly door: AnswerDoor;
}

/**
 * Records an answer to an open question of a task: answers of clients and of operators come through here.
 *
 * @returns whether it changed anything: the first answer counts
 * @throws TaskError `ANSWER_DOES_NOT_FIT`; the question stays open, and is asked again if its client has no other way to learn of the
 * refusal
 */
export async function recordAnswer(writer: TaskWriter, view: TaskView, key: string, { answer, door }: GivenAnswer): Promise<boolean> {
  const asked = view.pendingInputs.find((input) => input.key === key);
  if (asked === undefined) return false;
  const { via, refusedBefore } = door;
  try {
    const command = { type: 'ProvideInput', at: writer.now, key, answer: answer(asked), via } as const;
    return await writer.changes(view.taskId, command, view);
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === undefined) {
      if (error instanceof CommandRejected) return false;
      throw error;
    }
    if (refusedBefore !== undefined) await askAgain(writer, view, { key, reason: refusal.message, via, refusedBefore });
    throw refusal;
  }
}

/**
 * The answer as it would be recorded.
 *
 * @throws TaskError `ANSWER_DOES_NOT_FIT` with a sentence that names what does not fit, and `data.field`
 */
export function checkedAnswer(asked: AskedQuestion, answer: InputAnswer): InputAnswer {
  try {
    return fittingAnswer(asked, answer);
  } catch (error) {
    throw refusalIn(error) ?? error;
  }
}

function refusalIn(error: unknown): TaskError | undefined {
  if (error instanceof TaskError) return error.code === 'ANSWER_DOES_NOT_FIT' ? error : undefined;
  if (!(error instanceof CommandRejected) || error.code !== 'ANSWER_DOES_NOT_FIT') return undefined;
  return new TaskError('ANSWER_DOES_NOT_FIT', error.message, { field: error.field }, { cause: error });
}

async function askAgain(
  writer: TaskWriter,
  { taskId }: TaskView,
  refused: { readonly key: string; readonly reason: string; readonly via: string; readonly refusedBefore: number },
): Promise<void> {
  try {
    await writer.write(taskId, { type: 'RefuseAnswer', at: writer.now, ...refused });
  } catch (error) {
    // The task has ended since it was read.
    if (!(error instanceof CommandRejected)) throw error;
  }
}
