import type { TaskReference } from './task-reference.js';

/** Defines all errors that this library throws by itself. Errors of callbacks and of an aborted `signal` are passed on unchanged. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';
  /** The task of the call, if it has one that may continue. `resumeTask` takes it up again. */
  reference?: TaskReference;
}

/** The server answered with a JSON-RPC error, which is in `code` and `data`. */
export class RpcError extends ClientError {
  override readonly name: string = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The task ended with a JSON-RPC error: the same `code` and `data` that a call without a task ends with. */
export class TaskFailedError extends RpcError {
  override readonly name = 'TaskFailedError';

  constructor(
    readonly taskId: string,
    code: number,
    message: string,
    data?: unknown,
  ) {
    super(code, message, data);
  }
}

/** The task was cancelled, and not by the `signal` of this call. */
export class TaskCancelledError extends ClientError {
  override readonly name = 'TaskCancelledError';

  constructor(
    readonly taskId: string,
    statusMessage?: string,
  ) {
    super(statusMessage ?? `Task ${taskId} was cancelled.`);
  }
}

/** The server could not be reached, or the connection broke before its answer was complete. */
export class ConnectionLostError extends ClientError {
  override readonly name: string = 'ConnectionLostError';

  /**
   * @param effect `none`: the server certainly did not act on the request. `unknown`: it may have.
   */
  constructor(
    message: string,
    readonly effect: 'none' | 'unknown' = 'unknown',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The server has forgotten the session, so it did not act on the request. */
export class SessionLostError extends ConnectionLostError {
  override readonly name = 'SessionLostError';

  constructor(options?: ErrorOptions) {
    super('The server does not know the session any more.', 'none', options);
  }
}

/**
 * The server asked for input and there was no answer to send: `onInput` has no function for it, or the function threw, which is the
 * `cause`. The task still waits; `resumeTask` is asked again.
 */
export class InputFailedError extends ClientError {
  override readonly name = 'InputFailedError';
}

/** The call was aborted, but the task could not be cancelled and may continue. */
export class CancelFailedError extends ClientError {
  override readonly name = 'CancelFailedError';
}

/** The client was closed before the call had ended. A task continues. */
export class ClientClosedError extends ClientError {
  override readonly name = 'ClientClosedError';

  constructor() {
    super('The client was closed before the call had ended.');
  }
}

/** The call was left by its `leave`: its task continues, and `reference` leads back to it. */
export class TaskLeftError extends ClientError {
  override readonly name = 'TaskLeftError';

  constructor() {
    super('You have left the task, which continues.');
  }
}

/** The server sent something that the protocol does not allow. */
export class ProtocolViolationError extends ClientError {
  override readonly name = 'ProtocolViolationError';
}
