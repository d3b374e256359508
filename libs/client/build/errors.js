/** Everything that this library throws by itself. What callbacks and an aborted `signal` throw goes out as it is. */
export class ClientError extends Error {
    name = 'ClientError';
    /** The task of the call, if it has one that may go on. `resumeTask` takes it up again. */
    reference;
}
/** The server answered with a JSON-RPC error, which is in `code` and `data`. */
export class RpcError extends ClientError {
    code;
    data;
    name = 'RpcError';
    constructor(code, message, data, options) {
        super(message, options);
        this.code = code;
        this.data = data;
    }
}
/** The task ended with a JSON-RPC error: the same `code` and `data` that a call without a task ends with. */
export class TaskFailedError extends RpcError {
    taskId;
    name = 'TaskFailedError';
    constructor(taskId, code, message, data) {
        super(code, message, data);
        this.taskId = taskId;
    }
}
/** The task was cancelled, and not by the `signal` of this call. */
export class TaskCancelledError extends ClientError {
    taskId;
    name = 'TaskCancelledError';
    constructor(taskId, statusMessage) {
        super(statusMessage ?? `Task ${taskId} was cancelled.`);
        this.taskId = taskId;
    }
}
/** The server could not be reached, or the connection broke before its answer was complete. */
export class ConnectionLostError extends ClientError {
    effect;
    name = 'ConnectionLostError';
    /**
     * @param effect `none`: the server certainly did not act on the request. `unknown`: it may have.
     */
    constructor(message, effect = 'unknown', options) {
        super(message, options);
        this.effect = effect;
    }
}
/** The server has forgotten the session, so it did not act on the request. */
export class SessionLostError extends ConnectionLostError {
    name = 'SessionLostError';
    constructor(options) {
        super('The server does not know the session any more.', 'none', options);
    }
}
/**
 * The server asked for something and there was no answer to send: `onInput` has no function for it, or the
 * function threw, which is the `cause`. The task goes on waiting; `resumeTask` is asked again.
 */
export class InputFailedError extends ClientError {
    name = 'InputFailedError';
}
/** The call was aborted, but the task could not be cancelled and may go on. */
export class CancelFailedError extends ClientError {
    name = 'CancelFailedError';
}
/** The client was closed before the call had ended. A task goes on. */
export class ClientClosedError extends ClientError {
    name = 'ClientClosedError';
    constructor() {
        super('The client was closed before the call had ended.');
    }
}
/** The call was left by its `leave`: its task goes on, and `reference` leads back to it. */
export class TaskLeftError extends ClientError {
    name = 'TaskLeftError';
    constructor() {
        super('The task was left to go on.');
    }
}
/** The server sent something that the protocol does not allow. */
export class ProtocolViolationError extends ClientError {
    name = 'ProtocolViolationError';
}
//# sourceMappingURL=errors.js.map