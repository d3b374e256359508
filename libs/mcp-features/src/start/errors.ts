import type { Json } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** An error of a starter. Match on `code`: docs/errors.md and docs/starting-tasks.md have the codes. */
export class StarterError extends Error {
  override readonly name: string = 'StarterError';

  constructor(
    readonly code: string,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The task has ended with an error. */
export class TaskFailedError extends StarterError {
  override readonly name = 'TaskFailedError';

  constructor(
    readonly taskId: string,
    message: string,
    /** The error result of the tool. Absent if the task ended with a JSON-RPC error. */
    readonly result: CallToolResult | undefined,
    /** The JSON-RPC error. Its data has the `reason` of docs/errors.md if the engine has ended the task. */
    readonly error: { readonly code: number; readonly message: string; readonly data?: Json } | undefined,
  ) {
    super('TASK_FAILED', message);
  }
}

/** The task was cancelled. */
export class TaskCancelledError extends StarterError {
  override readonly name = 'TaskCancelledError';

  constructor(
    readonly taskId: string,
    /** Who has cancelled it: its owner, `service:NAME`, `operator:NAME`. */
    readonly by: string,
    readonly reason: string | undefined,
  ) {
    super('TASK_CANCELLED', `Task ${taskId} was cancelled by ${by}${reason === undefined ? '.' : `: ${reason}`}`);
  }
}

/** The owner has no such task: it never was, its record has expired, or it belongs to another owner. */
export class TaskNotFoundError extends StarterError {
  override readonly name = 'TaskNotFoundError';

  constructor(
    readonly taskId: string,
    options?: ErrorOptions,
  ) {
    super('TASK_NOT_FOUND', 'There is no such task, its record has expired, or it belongs to another owner.', undefined, options);
  }
}

/** The task has not ended in the given time. It continues, and its result can be asked for again. */
export class ResultTimeoutError extends StarterError {
  override readonly name = 'ResultTimeoutError';

  constructor(
    readonly taskId: string,
    timeoutMs: number,
  ) {
    super('RESULT_TIMEOUT', `Task ${taskId} has not ended within ${timeoutMs} ms. It continues.`);
  }
}
