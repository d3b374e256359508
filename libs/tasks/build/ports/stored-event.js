import { upcast } from '../domain/upcast/upcast.js';
import { TaskError } from '../errors.js';
/** @param epoch lease epoch of the pass that appends; kept for people who read the stream */
export function toStored({ type, at, data }, epoch) {
    return { type, data: JSON.stringify(data), meta: JSON.stringify({ at, epoch }) };
}
/** The event in its shape of today, also if an older version has stored it. @throws TaskError `HISTORY_UNREADABLE` */
export function fromStored({ type, data, meta }) {
    try {
        const { at } = JSON.parse(meta);
        return upcast({ type, at, data: JSON.parse(data) });
    }
    catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new TaskError('HISTORY_UNREADABLE', `A ${type} of the task cannot be read: ${reason}`, undefined, { cause });
    }
}
/** What the events take in the history, bytes of UTF-8. */
export function storedBytes(events) {
    return events.reduce((bytes, { type, data, meta }) => bytes + type.length + Buffer.byteLength(data) + meta.length, 0);
}
//# sourceMappingURL=stored-event.js.map