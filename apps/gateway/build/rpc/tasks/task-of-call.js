/** The task behind a call of a durable tool: what is recorded of its arguments, its creation, and its end when the call is cancelled. */
import { ProtocolError, resultOrError } from '@longhaul/mcp-features';
import { FIELD_LIMITS, TaskError, tooLong } from '@longhaul/tasks';
import { RpcCode } from '../errors.js';
/**
 * Creates the task of a call. When the client cancels the call before it has the handle, there is no task that works on: nobody
 * could follow it. That of an idempotency key is left, because another call of the same key may have its handle.
 *
 * @throws the reason of the call's signal when it is cancelled
 */
export async function createOfCall(tasks, task, { scope }) {
    if (scope.isCancelled)
        scope.signal.throwIfAborted();
    const view = await tasks.create(task);
    if (!scope.isCancelled)
        return view;
    if (task.idempotencyKey === undefined)
        await cancelQuietly(tasks, view);
    scope.signal.throwIfAborted();
    return view;
}
/**
 * The params with the arguments that the tool has completed.
 *
 * @throws ProtocolError for what it throws; -32603 when the arguments are too large to be recorded
 */
export async function prepared(tool, params, call, contextOf) {
    const { name, prepare } = tool;
    if (prepare === undefined)
        return params;
    const args = await resultOrError(`Tool ${name}`, () => prepare(params.arguments ?? {}, contextOf(call)));
    const problem = tooLong(`The JSON of the arguments that tool ${name} prepares`, JSON.stringify(args), FIELD_LIMITS.preparedArgumentsBytes);
    if (problem !== undefined)
        throw new ProtocolError(RpcCode.InternalError, problem);
    return { ...params, arguments: args };
}
/** Cancels a task that may have ended meanwhile. Its client has gone, and nobody else will: while the store is away it waits. */
export async function cancelQuietly(tasks, { taskId, owner }) {
    try {
        await tasks.patiently(() => tasks.cancel(taskId, { owner, auth: undefined }, 'The client cancelled the call.'));
    }
    catch (error) {
        if (!(error instanceof TaskError && error.code === 'TASK_ENDED'))
            throw error;
    }
}
//# sourceMappingURL=task-of-call.js.map