import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { newCursor, readEvents } from './event-stream.js';
import { failureOf } from './failure.js';
/**
 * Passes on what comes, and connects again whenever the connection ends.
 *
 * @param onSettled called when the stream is open for the first time, or an attempt to open it has failed
 * @returns when the gateway says that there is no such stream, or the signal aborts
 */
export async function followStandaloneStream(deps, onSettled) {
    const { connection, output, signal, log } = deps;
    const cursor = newCursor();
    while (!signal.aborted) {
        const headers = {
            ...deps.headers,
            accept: 'text/event-stream',
            ...(cursor.lastEventId !== undefined && { 'last-event-id': cursor.lastEventId }),
        };
        const response = await connection.request({ method: 'GET', headers, signal }).catch(() => undefined); // Not there yet.
        onSettled();
        const { statusCode = 0 } = response ?? {};
        if (statusCode === 200 && response !== undefined)
            await readEvents(response, cursor, (json) => output.send(json));
        else if (response !== undefined) {
            const { message } = failureOf(statusCode, await text(response).catch(() => ''));
            if (statusCode === 404 || statusCode === 405)
                return log(`nothing more will come by itself: ${message}`);
            // What it was to go on after is forgotten: what came meanwhile is lost, what comes next is not.
            if (statusCode === 400)
                cursor.lastEventId = undefined;
        }
        await delay(cursor.retryMs, undefined, { signal }).catch(() => undefined);
    }
}
//# sourceMappingURL=standalone-stream.js.map