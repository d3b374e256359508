import { taskCallerOf } from '../rpc/caller.js';
import { inputAnswerOf } from '../rpc/tasks/client-response.js';
/**
 * Turns the client's response into the answer of a task's input, or gives it to the feature that waits for
 * it. What answers nothing that the caller
 * was asked is dropped with a warning: a response gets no answer, so there is no way to report it to the client.
 */
export function createReceiveResponse({ tasks, inputIds, requests, logger }) {
    let ignored = 0; // Since the process began; many of them are a client in trouble, or an attack.
    return async ({ id, answer }, session) => {
        if (typeof id === 'string' && (await requests.receive(id, answer, session.id)))
            return;
        const input = id === undefined ? undefined : inputIds.inputOf(id);
        if (input === undefined) {
            ignored += 1;
            logger.warn({ ignored }, 'response to a request that was never sent');
            return;
        }
        const { taskId, key } = input;
        const isTaken = await tasks.provideInput(taskId, key, (asked) => inputAnswerOf(asked, answer), taskCallerOf(session), 'streamable-http');
        if (isTaken)
            return;
        ignored += 1;
        logger.warn({ taskId, key, ignored }, 'response to an input that is not pending');
    };
}
//# sourceMappingURL=receive-response.js.map