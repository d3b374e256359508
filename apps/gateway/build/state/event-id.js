/** The ids of server-sent events: `<streamId>_<n>`, so that an id alone says where to go on. */
import { randomBytes } from 'node:crypto';
const FORM = /^([\w-]{22})_(0|[1-9]\d{0,9})$/;
/** Random enough that nobody guesses the stream of another one. */
export function newStreamId() {
    return randomBytes(16).toString('base64url');
}
export function eventId({ streamId, n }) {
    return `${streamId}_${n}`;
}
/** Returns `undefined` for a text that is no event id. */
export function cursorOf(text) {
    const [, streamId, n] = FORM.exec(text) ?? [];
    return streamId === undefined ? undefined : { streamId, n: Number(n) };
}
//# sourceMappingURL=event-id.js.map