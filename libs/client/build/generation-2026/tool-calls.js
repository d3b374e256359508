import { withTasks } from '@modelcontextprotocol/ext-tasks/client';
import { RpcError } from '../errors.js';
import { toolResult } from '../following/task-snapshot.js';
import { LingeringSignal } from '../lingering-signal.js';
import { ToolDeclarations } from '../tool-declarations.js';
import { checkedAnswer } from './checked-answer.js';
import { ownError, translated } from './extension-errors.js';
import { paramHeaders } from './param-headers.js';
import { sessionPort } from './session-port.js';
import { snapshotOfView } from './snapshots.js';
import { TaskAccess2026 } from './task-access.js';
import { TaskSubscription } from './task-subscription.js';
/** How long an aborted call stays connected: the end of the stream cancels the call, but not a task that it has just become. */
const ANSWER_GRACE_MS = 250;
/** How often a call that is no task may want something before it is answered; a server could go on for ever, without asking anybody. */
const MAX_INPUT_ROUNDS = 100;
const HEADER_MISMATCH = -32_020;
/** Generation 2026-07-28: the server decides whether a call becomes a task. */
export class Generation2026 {
    connection;
    #tools;
    #subscription;
    constructor(connection) {
        this.connection = connection;
        this.#tools = new ToolDeclarations(connection);
        this.#subscription = new TaskSubscription(connection);
    }
    async start(toolCall, call) {
        const { name } = toolCall;
        const lingering = new LingeringSignal(call.signal, ANSWER_GRACE_MS);
        try {
            return await this.#call(toolCall, call, await this.#schemaOf(name), lingering.signal);
        }
        catch (error) {
            if (!(error instanceof RpcError && error.code === HEADER_MISMATCH))
                throw error;
            // The server has not run it: the schema that says which headers it wants has changed.
            this.#tools.forget();
            return await this.#call(toolCall, call, await this.#schemaOf(name), lingering.signal);
        }
        finally {
            lingering.dispose();
        }
    }
    task(taskId, call) {
        return new TaskAccess2026(this.connection, this.#subscription, taskId, call);
    }
    async close() {
        this.#subscription.close();
    }
    /** What the server lists of the tool's input. Only headers depend on it, so transports without them do without. */
    async #schemaOf(name) {
        if (!this.connection.hasHeaders)
            return undefined;
        try {
            return (await this.#tools.find(name))?.inputSchema;
        }
        catch (error) {
            if (error instanceof RpcError)
                return undefined; // It may serve a tool all the same that it does not list.
            throw error;
        }
    }
    async #call(toolCall, call, inputSchema, signal) {
        const { name, meta, isRepeatable } = toolCall;
        const details = { isRepeatable, onSend: (id) => void call.requestIds.add(id) };
        const session = withTasks(sessionPort(this.connection, details), {
            tools: { currentTool: () => undefined },
            onInputRequest: inputBeforeTask(call),
            maxInputRounds: MAX_INPUT_ROUNDS,
        });
        const execution = await translated(session.callTool(name, toolCall.arguments, {
            signal,
            metadata: meta,
            headers: paramHeaders(inputSchema, toolCall.arguments),
        }));
        return execution.kind === 'task' ? takeOver(execution) : resultOf(execution);
    }
}
/** Answers what the server asks before the call has become a task. */
function inputBeforeTask(call) {
    let asked = 0;
    return async (request, { inputId }) => {
        asked += 1; // Each round may ask again under the same id, and wants a new answer.
        return checkedAnswer(request.kind, await call.answer(`round ${asked} ${inputId}`, request));
    };
}
/** The package would poll by itself. This library follows the task instead. */
async function takeOver(execution) {
    const events = execution.updates()[Symbol.asyncIterator]();
    const first = await events.next();
    await execution.detach();
    if (first.done === true || first.value.type !== 'task')
        throw new Error('The execution of a task did not begin with the task.');
    return { task: snapshotOfView(first.value.task) };
}
async function resultOf(execution) {
    const outcome = await execution.result();
    if (outcome.status === 'completed')
        return { result: toolResult(outcome.result) };
    throw outcome.status === 'failed' ? ownError(outcome.error.cause ?? outcome.error) : new Error('A call without a task was cancelled.');
}
//# sourceMappingURL=tool-calls.js.map