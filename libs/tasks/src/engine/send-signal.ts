import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../domain/json.js';
import type { TaskView } from '../domain/projections/task-view.js';
import { CommandRejected, type RejectionCode } from '../domain/rejection.js';
import { MAX_SIGNAL_BYTES, type Misfit } from '../domain/signals.js';
import { TaskError, type TaskErrorCode } from '../errors.js';
import { checkKey, FIELD_LIMITS } from '../field-limits.js';
import { misfitOf } from '../signals/misfit-of.js';
import type { TaskWriter } from '../write/task-writer.js';

/** A signal on its way to a task. */
export interface GivenSignal {
  readonly name: string;
  readonly value: Json;
  /** The id of the delivery: of several with one id, the task takes one. Absent: each is a signal of its own. */
  readonly id?: string | undefined;
  /** The way in which it came, for the record. */
  readonly via: string;
  /** A schema that it must fit although no wait has begun: of the address that it came by. */
  readonly schema?: JsonObject | undefined;
}

const ID_DIGEST_CHARACTERS = 22;

const ERRORS: Partial<Record<RejectionCode, TaskErrorCode>> = {
  TASK_ENDED: 'TASK_ENDED',
  TASK_NOT_FOUND: 'TASK_NOT_FOUND',
  TOO_MANY_SIGNALS: 'TOO_MANY_SIGNALS',
};

/**
 * Records a signal for a task: signals of every origin come through here.
 *
 * Failure semantics: when it returns, the signal is recorded. After an error of the store it may be; with an id it can be sent again.
 *
 * @returns false when it was taken before
 * @throws TaskError `SIGNAL_DOES_NOT_FIT` with the field; `TOO_MANY_SIGNALS`, `TASK_ENDED`, `TASK_NOT_FOUND`, `INVALID_KEY`
 */
export async function sendSignal(writer: TaskWriter, view: TaskView, { name, value, id, via, schema }: GivenSignal): Promise<boolean> {
  checkKey('The name of a signal', name, FIELD_LIMITS.signalNameBytes);
  if (id !== undefined) checkKey('The id of a signal', id, FIELD_LIMITS.signalIdBytes);
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > MAX_SIGNAL_BYTES)
    throw unfit(name, { field: '', message: `its JSON has ${bytes} bytes; at most ${MAX_SIGNAL_BYTES} are allowed.` });
  const misfit = schema && misfitOf(schema, value);
  if (misfit !== undefined) throw unfit(name, misfit);
  const command = { type: 'SendSignal', at: writer.now, name, value, bytes, via, misfitOf } as const;
  try {
    return await writer.changes(view.taskId, { ...command, ...(id !== undefined && { id: digestOf(name, id) }) }, view);
  } catch (error) {
    throw asTaskError(error);
  }
}

function unfit(name: string, { field, message }: Misfit): TaskError {
  return new TaskError('SIGNAL_DOES_NOT_FIT', `The signal ${JSON.stringify(name)} does not fit: ${message}`, { field });
}

function asTaskError(error: unknown): unknown {
  if (!(error instanceof CommandRejected)) return error;
  if (error.code === 'SIGNAL_DOES_NOT_FIT')
    return new TaskError('SIGNAL_DOES_NOT_FIT', error.message, { field: error.field ?? '' }, { cause: error });
  const code = ERRORS[error.code];
  return code === undefined
    ? error
    : new TaskError(code, code === 'TOO_MANY_SIGNALS' ? error.message : undefined, undefined, { cause: error });
}

function digestOf(name: string, id: string): string {
  return createHash('sha256').update(`${name}\n${id}`).digest('base64url').slice(0, ID_DIGEST_CHARACTERS);
}
