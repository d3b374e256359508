import { JsonRpcCode } from '../domain/json-rpc-code.js';
import type { TaskFailure } from '../domain/events.js';
import { CommandRejected } from '../domain/rejection.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskWriter } from '../write/task-writer.js';

/** Ends the task as failed, unless it has ended or is gone. @throws TaskError `STORE_UNAVAILABLE` */
export async function failPermanently(writer: TaskWriter, taskId: TaskId, error: TaskFailure): Promise<void> {
  try {
    await writer.write(taskId, { type: 'FailPermanently', at: writer.now, error });
  } catch (thrown) {
    if (!(thrown instanceof CommandRejected)) throw thrown;
  }
}

/** A failure of the engine itself, known by its reason. */
export function failureFor(reason: string, message: string): TaskFailure {
  return { code: JsonRpcCode.InternalError, message, data: { reason } };
}
