/**
 * Defines all errors that `libs/tasks` gives to its callers, in one table. Codes are stable; match on them, never on the class or the text.
 */
export const TASK_ERRORS = {
  TASK_NOT_FOUND: 'There is no such task, it has expired, or it belongs to someone else.',
  TASK_ENDED: 'The task is in a terminal status already.',
  INVALID_CURSOR: 'The cursor of the list is not one that this service gave out.',
  TOO_MANY_TASKS: 'The owner has as many unfinished tasks as allowed.',
  TOO_MANY_BYTES: "The histories of the owner's tasks take as much as allowed.",
  TOO_MANY_CREATIONS: 'The owner has created as many tasks within a minute as allowed.',
  QUEUE_FULL: 'As many passes wait for a worker as allowed.',
  IDEMPOTENCY_MISMATCH: 'The idempotency key was used for another call.',
  IDEMPOTENCY_KEY_SPENT: 'The task of the idempotency key has ended and expired; the key never starts it again.',
  INVALID_KEY: 'An operation has an argument that it cannot have, such as a name, an id or a time.',
  NOT_SERIALIZABLE: 'A value that has to be recorded or sent is not JSON, or is too large.',
  STEP_TIMEOUT: 'A try of a step took longer than its limit.',
  NONDETERMINISM: 'The workflow asked for other operations than the ones recorded for this task.',
  HISTORY_TOO_LARGE: 'The history of the task is larger than allowed, or than a worker can hold.',
  HISTORY_UNREADABLE: 'An event of the task cannot be read.',
  HISTORY_GONE: 'The events of the task are gone.',
  KEY_MISSING: 'The key that a value is encrypted with is not among the keys of the process.',
  VALUE_NOT_GENUINE: 'A value is encrypted for another place than where it was found, or was changed.',
  ALREADY_RETRIED: 'The task was retried before.',
  UNKNOWN_STEP: 'The task has recorded no step, question or timer of that name.',
  CLIENT_LACKS_CAPABILITY: 'The workflow asked its client for something that the client has not declared it can do.',
  ANSWER_DOES_NOT_FIT: 'An answer does not fit what was asked; the question stays open.',
  INPUT_FAILED: 'The client answered a request for input with an error.',
  SIGNAL_DOES_NOT_FIT: 'The value of a signal does not fit the schema of the wait for it; it is not taken, and the wait continues.',
  TOO_MANY_SIGNALS: 'The task keeps as many signals that no wait has taken as allowed, or as many bytes of them.',
  WAIT_WITHDRAWN: 'The workflow gave a wait for a signal up, or began another one of the same name.',
  NO_PUBLIC_URL: 'The workflow made an address for a signal, and the URL under which the deployment is known is not configured.',
  SESSION_FULL: 'The session of the client, or all of its sessions, hold as many values, or bytes of them, as allowed.',
  OWNER_FULL: 'The records of an owner take as many bytes as allowed, or one update changes more of them than allowed.',
  CHILD_FAILED: 'A task that the workflow has called has failed.',
  CHILD_CANCELLED: 'A task that the workflow has called was cancelled.',
  CHILD_REFUSED: 'A task that the workflow has called was not created.',
  CHILD_LOST: 'A task that the workflow has called is gone, and it is unknown how it ended.',
  CHILD_RESULT_TOO_LARGE: 'The result of a task that the workflow has called does not fit into the history of the task.',
  MAY_HAVE_HAPPENED: 'A call of another server may have been carried out, and is not repeated.',
  CREDENTIALS_EXPIRED: 'The token with which a caller is known to another server has expired, and cannot be renewed.',
  SWITCHED_OFF: 'An operator has turned off a tool of another server, or the server. Nothing was called.',
  VALUE_MISSING: 'A value that is kept apart from the record is gone.',
  VALUES_UNAVAILABLE: 'What keeps large values does not answer, or refuses.',
  VALUES_FULL: 'What keeps large values has no room.',
  STORE_UNAVAILABLE: 'What keeps the tasks does not answer.',
  STORE_FULL: 'What keeps the tasks is full, or nearly.',
  STORE_CONTENTION: 'An append lost against other writers too many times in a row.',
} as const;

/** A stable code of `TASK_ERRORS`. */
export type TaskErrorCode = keyof typeof TASK_ERRORS;

/** An error with a stable `code`, and data that may help its reader. */
export class TaskError extends Error {
  override readonly name = 'TaskError';

  constructor(
    readonly code: TaskErrorCode,
    message: string = TASK_ERRORS[code],
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** `STORE_UNAVAILABLE`, when nothing was sent to the store: no part of the request has been done. */
export class StoreUnreached extends TaskError {
  constructor(options?: ErrorOptions) {
    super('STORE_UNAVAILABLE', undefined, undefined, options);
  }
}

/** Thrown by an author to say that trying again is of no use: neither the step nor the task is retried. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}

const STORE_CODES = new Set<TaskErrorCode>(['STORE_UNAVAILABLE', 'STORE_FULL', 'STORE_CONTENTION', 'VALUES_UNAVAILABLE', 'VALUES_FULL']);

/** Whether the store failed, is full, or other writers were faster: such an error says nothing about the task. */
export function isStoreError(error: unknown): boolean {
  return error instanceof TaskError && STORE_CODES.has(error.code);
}
