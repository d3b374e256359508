import { fold } from '../domain/evolve.js';
import { TaskError } from '../errors.js';
import { historyPages } from '../ports/read-history.js';
import { heldBytes } from './held-bytes.js';
import { SMALL_BYTES } from './history-room.js';
/**
 * Reads and folds a history. A short one takes one round trip; for a long one there has to be room first.
 *
 * @param isNew whether the task has probably not been run yet
 * @throws TaskError `HISTORY_UNREADABLE`; `HISTORY_TOO_LARGE` for a history that this process could never hold;
 *   `STORE_UNAVAILABLE`; the reason of `signal` when it aborts while the history waits for room
 */
export async function loadHistory(events, room, taskId, signal, isNew = false) {
    const first = await events.readPage(taskId, 0, SMALL_BYTES, isNew);
    if (first.isLast)
        return { state: fold(first.events), bytes: first.historyBytes, place: await room.enter(0, signal) };
    // A text takes what it has as JSON, objects several times as much: how much that is shows when they are read.
    for (let memoryBytes = first.historyBytes;;) {
        if (memoryBytes > room.largestBytes)
            throw tooLargeFor(room);
        const place = await room.enter(memoryBytes, signal);
        try {
            let state = fold(first.events);
            let readBytes = first.events.reduce((bytes, event) => bytes + heldBytes(event), 0);
            let fits = true;
            for await (const page of historyPages(events, taskId, state.version)) {
                state = fold(page, state);
                readBytes += page.reduce((bytes, event) => bytes + heldBytes(event), 0);
                const more = readBytes - memoryBytes;
                if (more <= 0)
                    continue;
                memoryBytes = readBytes;
                fits = place.grow(more);
                if (!fits || place.isTooLarge)
                    break;
            }
            if (place.isTooLarge)
                throw tooLargeFor(room);
            if (fits)
                return { state, bytes: first.historyBytes, place };
        }
        catch (error) {
            place.leave();
            throw error;
        }
        // It waits until there is room for as much as is known by now.
        place.leave();
    }
}
function tooLargeFor({ largestBytes }) {
    return new TaskError('HISTORY_TOO_LARGE', `The history takes more memory than a worker has for one: ${largestBytes} bytes.`);
}
//# sourceMappingURL=load-history.js.map