import { createParser } from 'eventsource-parser';
import { isBroken } from './gateway-connection.js';
/** What the specification leaves to the client; the gateway says how long it is. */
const DEFAULT_RETRY_MS = 1_000;
/** A stream of which nothing has come yet. */
export function newCursor() {
    return { lastEventId: undefined, retryMs: DEFAULT_RETRY_MS };
}
/** Whether a response is an event stream. */
export function isEventStream({ headers }) {
    return headers['content-type']?.startsWith('text/event-stream') === true;
}
/**
 * Reads events until the connection ends or breaks: the stream itself may go on elsewhere.
 *
 * @param cursor moved on with every event
 * @param onMessage given the data of each event; the next one is read when it resolves
 */
export async function readEvents(response, cursor, onMessage) {
    const messages = [];
    const parser = createParser({
        onRetry: (ms) => (cursor.retryMs = ms),
        onEvent: ({ id, data }) => {
            if (id !== undefined)
                cursor.lastEventId = id;
            if (data.trim() !== '')
                messages.push(data);
        },
    });
    response.setEncoding('utf8');
    try {
        for await (const chunk of response) {
            parser.feed(chunk);
            for (const message of messages.splice(0))
                await onMessage(message);
        }
    }
    catch (error) {
        if (!isBroken(error))
            throw error;
    }
}
//# sourceMappingURL=event-stream.js.map