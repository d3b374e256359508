import { requireCapability } from '@longhaul/tasks';
import { answerOf } from '../../rpc/tasks/outcome.js';
import { cancelQuietly } from '../../rpc/tasks/task-of-call.js';
import { callParamsSchema } from '../../rpc/features/call-params.js';
import { clientInfoOf } from '../../state/requester.js';
import { parseParams } from '../../rpc/params.js';
import { answerTo, canBeAsked, inputRequestsOf } from '../multi-round-trip/input-requests.js';
import { inputRequired } from '../multi-round-trip/rounds.js';
import { taskHead } from './task-details.js';
/** Goes on with a task whose questions the client has answered, or some of them. */
export async function answerTask(deps, tool, taskId, request) {
    const { tasks } = deps;
    const { call, round, knowsTasks } = request;
    const view = await tasks.get(taskId, call.caller);
    call.operation.about(view);
    for (const asked of view.pendingInputs) {
        const given = Object.hasOwn(round.inputResponses, asked.key) ? round.inputResponses[asked.key] : undefined;
        const answer = answerTo(asked, given);
        // What does not fit is asked again.
        if (given !== undefined && !('error' in answer))
            await tasks.provideInput(view.taskId, asked.key, () => answer, call.caller, 'retry');
    }
    const answered = await tasks.get(taskId, call.caller);
    return knowsTasks ? createdTask(answered) : waitFor(deps, tool, answered, request);
}
/** The task itself, for a client with the extension. */
export function createdTask(view) {
    return { resultType: 'task', ...taskHead(view, Date.now()) };
}
/**
 * Waits for a task.
 *
 * @param tool whose call it is; absent: the call is another one than that which made the task, and ends without it
 */
export async function waitFor(deps, tool, from, request) {
    const { tasks, notifyOfTask, seal, syncWaitMs, closing } = deps;
    const { call } = request;
    const { scope, requester } = call;
    const { signal } = scope;
    const tooLong = AbortSignal.timeout(syncWaitMs);
    const elsewhere = new AbortController();
    const sendElsewhere = () => elsewhere.abort();
    if (closing.aborted)
        sendElsewhere();
    closing.addEventListener('abort', sendElsewhere);
    const { leaving = elsewhere.signal } = scope;
    const until = AbortSignal.any([signal, tooLong, elsewhere.signal, leaving]);
    const listener = {
        logLevel: () => Promise.resolve(requester.logLevel),
        push: (message) => scope.push(message),
        signal: until,
    };
    try {
        for await (const { view, outcome } of tasks.follow({ view: from }, until)) {
            await notifyOfTask(asOfCall(view, call), listener);
            if (outcome !== undefined)
                return answerOf(outcome);
            const asked = inputRequestsOf(view.pendingInputs, requester.client().capabilities);
            if (Object.keys(asked).length === 0) {
                if (tool !== undefined)
                    requireAnswerable(view.pendingInputs, requester);
                continue;
            }
            return inputRequired(asked, { taskId: view.taskId, answers: {} }, { seal, call, leastMs: view.standing.maxWaitMs });
        }
    }
    catch (error) {
        if (signal.aborted && tool !== undefined)
            await cancelQuietly(tasks, from); // The client has hung up, which cancels its call.
        if (signal.aborted || !(tooLong.aborted || closing.aborted || leaving.aborted))
            throw error;
        if (closing.aborted || leaving.aborted)
            return inputRequired({}, { taskId: from.taskId, answers: {} }, { seal, call, leastMs: from.standing.maxWaitMs });
    }
    finally {
        closing.removeEventListener('abort', sendElsewhere);
    }
    return handle(from, tool);
}
/**
 * A client that declared more when it made the call would wait in vain: nobody else answers what the task asks.
 *
 * @throws TaskError `CLIENT_LACKS_CAPABILITY`
 */
function requireAnswerable(pending, requester) {
    const client = clientInfoOf(requester);
    for (const { method, params } of pending)
        if (canBeAsked(method))
            requireCapability(client, method, params, false);
}
/** The task as one that the client knows nothing of, with the progress token of this request instead of an earlier one's. */
function asOfCall(view, { params }) {
    const { progressToken: _earlier, ...task } = view;
    const progressToken = parseParams(callParamsSchema, params)._meta?.progressToken;
    return { ...task, implicit: true, ...(progressToken !== undefined && { progressToken }) };
}
/** A result that names the task. Where results have a schema, only one that says it is an error need not fit it. */
function handle({ taskId }, tool) {
    const text = `This takes longer, and goes on as task ${taskId}. The tool task_status shows its status, task_result waits for its result, and task_cancel ends it; each takes this taskId.`;
    return {
        content: [{ type: 'text', text }],
        ...(tool?.listing.outputSchema !== undefined && { isError: true }),
    };
}
//# sourceMappingURL=sync-call.js.map