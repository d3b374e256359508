/** `tasks/get`, `tasks/update` and `tasks/cancel` of the tasks extension. */
import { TaskError } from '@longhaul/tasks';
import { invalidParams } from '../../rpc/errors.js';
import { taskIdOf } from '../../rpc/task-id-param.js';
import { tasksExtensionMissing } from '../requests/failures.js';
import { answerTo } from '../multi-round-trip/input-requests.js';
import { taskDetails } from './task-details.js';
/** All of them refuse clients without the extension, before they look anything up. */
export function taskMethods(tasks) {
    return [
        { ...method('tasks/get', (request) => get(tasks, request)), isRead: true },
        method('tasks/update', (request) => update(tasks, request)),
        method('tasks/cancel', (request) => cancel(tasks, request)),
    ];
}
function method(name, run) {
    const answer = async (request) => {
        if (!request.knowsTasks)
            throw tasksExtensionMissing();
        return run(request);
    };
    return { name, kind: 'answers', answer };
}
async function get(tasks, { call }) {
    const { view, outcome } = await tasks.getWithOutcome(taskIdOf(call.params), call.caller);
    call.operation.about(view);
    return { ...taskDetails(view, outcome, { capabilities: call.requester.client().capabilities, now: Date.now() }) };
}
/** Answers are checked before any is recorded; those to what is not asked are passed over. */
async function update(tasks, { call, round }) {
    const { inputResponses, isAnswered, unreadable } = round;
    const id = taskIdOf(call.params);
    if (!isAnswered)
        throw invalidParams('Invalid params: inputResponses: expected object');
    const view = await tasks.get(id, call.caller);
    call.operation.about(view);
    const { taskId, pendingInputs } = view;
    const wrong = pendingInputs.find(({ key }) => unreadable.includes(key));
    if (wrong !== undefined)
        throw invalidParams(`inputResponses.${wrong.key}: expected the result itself, an object`);
    const answered = pendingInputs.filter(({ key }) => Object.hasOwn(inputResponses, key));
    for (const asked of answered) {
        const answer = answerTo(asked, inputResponses[asked.key]);
        if ('error' in answer)
            throw invalidParams(`inputResponses.${asked.key}: ${answer.error.message}`);
    }
    for (const { key } of answered)
        await tasks.provideInput(taskId, key, (asked) => answerTo(asked, inputResponses[key]), call.caller, 'tasks/update');
    return {};
}
/** A task that has ended is acknowledged like any other one. */
async function cancel(tasks, { call }) {
    const view = await tasks.get(taskIdOf(call.params), call.caller);
    call.operation.about(view);
    const { taskId } = view;
    try {
        await tasks.cancel(taskId, call.caller, 'The task was cancelled by request.');
    }
    catch (error) {
        if (!(error instanceof TaskError) || error.code !== 'TASK_ENDED')
            throw error;
    }
    return {};
}
//# sourceMappingURL=task-methods.js.map