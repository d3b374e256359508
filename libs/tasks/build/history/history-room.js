/**
 * How much of tasks a worker holds in memory at once. A pass holds the history of its task until it is over, and the
 * value of a step is in memory several times on its way to Redis. A worker may run a thousand passes: without a
 * bound, some large tasks that come together take it down, and then the next worker.
 *
 * Only what is large counts; the rest is what the number of passes bounds. A large history waits until there is room,
 * and so does a step of a tool whose steps had large values lately, before it runs.
 */
import { getHeapStatistics } from 'node:v8';
import { ByteRoom } from './byte-room.js';
/** A history or a value of at most this many bytes does not count. */
export const SMALL_BYTES = 256 * 1024;
/** Memory is reckoned by `heldBytes`; text that is not ASCII takes twice as much. */
const HISTORIES_SHARE_OF_HEAP = 0.2;
/** A value is in memory four times: as the author made it, as it will be read, as JSON and as what the socket sends. */
const VALUES_SHARE_OF_HEAP = 0.05;
/** A history of more than this share would leave no room for the pass itself. */
const LARGEST_SHARE_OF_HEAP = 0.4;
/** What remains of the expectation of large values with each step that had a smaller one. */
const FADING = 0.9;
/** How much a history may grow while it is held before it may have to leave. */
const GROWTH = 2;
/** The room of one process. */
export class HistoryRoom {
    histories;
    values;
    /** Bytes that the next step's value may have, of tools whose steps had large ones lately. */
    expected = new Map();
    /** No history that is larger can be held at all, bytes. */
    largestBytes;
    constructor(heapBytes = getHeapStatistics().heap_size_limit) {
        this.histories = new ByteRoom(heapBytes * HISTORIES_SHARE_OF_HEAP);
        this.values = new ByteRoom(heapBytes * VALUES_SHARE_OF_HEAP);
        this.largestBytes = Math.floor(heapBytes * LARGEST_SHARE_OF_HEAP);
    }
    /** Waits for room for a history. @throws the reason of `signal` when it aborts before */
    async enter(loadedBytes, signal) {
        const { histories, values, expected, largestBytes } = this;
        let bytes = loadedBytes;
        // With room to grow: one that had to leave after each step would be loaded as often as it has steps.
        let held = countedOf(bytes) * GROWTH;
        const steps = new Map();
        if (held > 0)
            await histories.enter(held, signal);
        const place = {
            grow(by) {
                bytes += by;
                const more = Math.max(0, countedOf(bytes) - held);
                const fits = more === 0 || histories.grow(held, more);
                held += more;
                return fits;
            },
            get isTooLarge() {
                return bytes > largestBytes;
            },
            startStep(tool, key, aborted) {
                const wanted = expected.get(tool);
                return wanted === undefined ? undefined : values.enter(wanted, aborted).then(() => void steps.set(key, wanted));
            },
            endStep: (tool, key, valueBytes) => {
                this.expect(tool, countedOf(valueBytes));
                const reserved = steps.get(key) ?? 0;
                const taken = countedOf(valueBytes);
                if (taken > reserved)
                    values.grow(reserved, taken - reserved);
                else if (reserved > taken)
                    values.leave(reserved - taken);
                if (taken > 0)
                    steps.set(key, taken);
                else
                    steps.delete(key);
            },
            freeStep(key) {
                const taken = steps.get(key);
                if (taken !== undefined && steps.delete(key))
                    values.leave(taken);
            },
            leave() {
                for (const key of steps.keys())
                    place.freeStep(key);
                if (held > 0)
                    histories.leave(held);
                held = 0;
            },
        };
        return place;
    }
    expect(tool, bytes) {
        const next = countedOf(Math.max(bytes, (this.expected.get(tool) ?? 0) * FADING));
        if (next > 0)
            this.expected.set(tool, next);
        else
            this.expected.delete(tool);
    }
}
function countedOf(bytes) {
    return bytes > SMALL_BYTES ? bytes : 0;
}
//# sourceMappingURL=history-room.js.map