/**
 * Requests of a server of protocol version 2025-11-25 to its client, and the calls that they belong to. A request of
 * a task names the task. Any other one belongs to the call on whose stream it came, if the stream shows it, or else
 * to the only call that runs; when several run, only `onInput` of the connection can answer it.
 */
import { INTERNAL_ERROR, ProtocolError, RELATED_TASK_META_KEY, } from '@modelcontextprotocol/client';
import { askClient } from '../ask-client.js';
import { INPUT_METHODS } from '../input.js';
/** Has the connection's client answer the server's requests. A program may replace the handlers on the client. */
export function answerClientRequests(connection, options) {
    for (const kind of options.kinds) {
        const handle = async ({ params }, { mcpReq: { id, signal } }) => {
            // In the other protocol version, the SDK's client asks for the input of its own requests in this way.
            const isPeer = connection.generation === '2025-11-25';
            const asker = isPeer ? await askerOf(params, connection.wire.takeOrigin(id), options.calls) : undefined;
            if (asker === 'somebody else')
                return await unanswered();
            try {
                const request = { kind, params };
                const answer = asker?.answer(JSON.stringify([id, params]), request, signal) ?? askClient(options.defaults, request, { signal });
                return (await answer);
            }
            catch (error) {
                if (asker?.signal.aborted === true)
                    return await unanswered();
                options.onError(error instanceof Error ? error : new Error(String(error)));
                // What went wrong in the program is not the server's business.
                throw new ProtocolError(INTERNAL_ERROR, 'The client could not answer the request.');
            }
        };
        connection.client.setRequestHandler(INPUT_METHODS[kind], handle);
    }
}
/** No answer at all: an error would be one, and the task would not be asked again when it is taken up. */
function unanswered() {
    return new Promise(() => undefined);
}
/** The call that the request belongs to, if that is known. The task may be that of another process in the same session. */
async function askerOf(params, origin, calls) {
    const meta = params?._meta;
    const taskId = meta?.[RELATED_TASK_META_KEY]?.taskId;
    const waiting = () => [...calls].filter(({ reference }) => reference === undefined);
    if (taskId === undefined) {
        const only = waiting().length === 1 ? waiting()[0] : undefined;
        return origin === undefined ? only : [...calls].find(({ requestIds }) => requestIds.has(origin));
    }
    for (;;) {
        const call = [...calls].find(({ reference }) => reference?.taskId === taskId);
        if (call !== undefined)
            return call;
        if (waiting().length === 0)
            return 'somebody else';
        // The question may have overtaken the handle of its task.
        await Promise.race(waiting().map(({ answered }) => answered));
    }
}
//# sourceMappingURL=client-requests.js.map