/** One try of a call, as the body of a step: until there is a result, a task, or a question that the call is left for. */
import { TaskLeftError } from '@longhaul/client';
import { TaskError } from '@longhaul/tasks';
import { limitedSignal } from '../loop/limited-signal.js';
import { failureText } from '../servers/server-toolbox.js';
import { boundedResult } from './bounded-result.js';
import { valueOf } from './question.js';
/** A call is left for this question; it has not acted yet. */
class LeftForQuestion extends Error {
    question;
    constructor(question) {
        super('The call waits for an answer.');
        this.question = question;
    }
}
/**
 * Aborts when nobody wants the call any more. A call that another worker makes again is not cancelled: with the same idempotency key,
 * the other worker would be given what was cancelled.
 */
function untilUnwanted(signal) {
    const unwanted = new AbortController();
    const abort = () => {
        if (signal.reason instanceof TaskError)
            unwanted.abort(signal.reason);
    };
    if (signal.aborted)
        abort();
    else
        signal.addEventListener('abort', abort, { once: true });
    return unwanted.signal;
}
/** Calls the tool, and cancels the call when the time of its run is over: `deadlineMs`, Infinity for never. @throws the reason of the step's signal */
export async function tryCall(connections, called, { book, desk, deadlineMs }, { signal, idempotencyKey }) {
    const { id, tool, onProgress } = called;
    const answer = async (question, { taskId, generation }) => {
        const known = book.find(question);
        if (known !== undefined)
            return valueOf(known);
        // The task is left in this moment; a look is asked again.
        if (taskId !== undefined && !called.isProcess)
            return new Promise(() => undefined);
        if (generation === '2026-07-28' && !called.isProcess)
            throw new LeftForQuestion(question);
        return valueOf(await desk.ask(question));
    };
    try {
        const { id: connection, server } = await connections.to(called.server);
        const leftMs = deadlineMs - Date.now();
        if (leftMs <= 0)
            throw new Error('The time of this run is over.');
        const limited = limitedSignal(untilUnwanted(signal), leftMs);
        try {
            const options = {
                callId: id,
                signal: limited.signal,
                onProgress,
                ...(called.takesIdempotencyKey && { idempotencyKey }),
                // Tasks of a process end with it, so they are not left.
                ...(!called.isProcess && { leave: AbortSignal.abort() }),
            };
            const result = await connections.answering(id, answer, () => server.callTool(tool, called.arguments, options));
            return { result: boundedResult(result), connection };
        }
        catch (error) {
            if (error instanceof TaskLeftError && error.reference !== undefined)
                return { task: error.reference, server: called.server, connection };
            signal.throwIfAborted();
            if (error instanceof LeftForQuestion)
                return { asks: [error.question] };
            return { failure: failureText(error, server) };
        }
        finally {
            limited.clear();
        }
    }
    catch (error) {
        signal.throwIfAborted();
        return { failure: `${error instanceof Error ? error.message : String(error)} The call was not made.` };
    }
}
//# sourceMappingURL=call-try.js.map