/** A look at a task of a server, as the body of a step. */
import { ConnectionLostError, TaskLeftError } from '@longhaul/client';
import { ServerStartError } from '../servers/connect-server.js';
import { boundedResult } from './bounded-result.js';
import { keyOf, valueOf } from './question.js';
/** Several questions come in one moment, and are relayed together. */
const MORE_QUESTIONS_MS = 50;
/** Follows a task for so long at most. @throws the reason of the step's signal */
export async function lookAtTask(connections, called, { reference, book, listenMs }, { signal }) {
    const asks = [];
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    // What becomes of the task when this one is cancelled is not decided here: another worker may follow it by now.
    signal.addEventListener('abort', leave, { once: true });
    const answer = async (question) => {
        const known = book.find(question);
        if (known !== undefined)
            return valueOf(known);
        if (!asks.some((asked) => keyOf(asked) === keyOf(question)))
            asks.push(question);
        setTimeout(leave, MORE_QUESTIONS_MS);
        return new Promise(() => undefined);
    };
    let status = {};
    try {
        const { server } = await connections.to(called.server);
        const timer = setTimeout(leave, listenMs);
        try {
            const options = {
                callId: called.id,
                leave: leaving.signal,
                onProgress: called.onProgress,
                onStatus: (latest) => {
                    status = latest;
                },
            };
            const result = await connections.answering(called.id, answer, () => server.resumeTask(reference, options));
            return { result: boundedResult(result), answered: book.given };
        }
        finally {
            clearTimeout(timer);
        }
    }
    catch (error) {
        signal.throwIfAborted();
        const answered = book.given;
        if (error instanceof TaskLeftError) {
            if (asks.length > 0)
                return { asks, answered };
            const { pollIntervalMs, statusMessage } = status;
            return {
                goesOn: true,
                answered,
                ...(pollIntervalMs !== undefined && { pollIntervalMs }),
                ...(statusMessage !== undefined && { statusMessage }),
            };
        }
        const isAway = error instanceof ConnectionLostError || error instanceof ServerStartError;
        // Whether it has taken the answers is not known, so they are kept.
        return isAway ? { away: messageOf(error), answered: [] } : { failure: messageOf(error), answered };
    }
}
/** Has the server cancel a task. @throws what keeps it from that */
export async function cancelTask(connections, server, reference) {
    const unwanted = new Error('The task is not wanted any more.');
    try {
        await (await connections.to(server)).server.resumeTask(reference, { signal: AbortSignal.abort(unwanted) });
    }
    catch (error) {
        if (error !== unwanted)
            throw error;
    }
}
function messageOf(error) {
    return error instanceof Error ? error.message : String(error);
}
//# sourceMappingURL=task-look.js.map