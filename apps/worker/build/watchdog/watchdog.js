/**
 * Ends the process when its main thread stands still, such as in a loop of an author's that never yields: then it beats,
 * drains and answers health checks no more, and all its other work waits. A thread of its own looks whether a counter
 * of the main thread moves. It logs the tasks that were held and where the main thread is, and sends SIGKILL, because
 * nothing softer reaches a thread that does not yield. The supervisor of the process starts it again.
 */
import { Worker } from 'node:worker_threads';
import { HeldTasks } from './held-tasks.js';
/** The counter moves this often within the limit. */
const TICKS_WITHIN_LIMIT = 20;
const LONGEST_TICK_MS = 250;
/** Starts to watch this thread. */
export function startWatchdog({ maxBlockMs, slots, logFields, reportTo }) {
    const tickMs = Math.min(LONGEST_TICK_MS, Math.ceil(maxBlockMs / TICKS_WITHIN_LIMIT));
    const counter = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const held = new HeldTasks(slots);
    const data = { counter, held: held.memory, tickMs, maxBlockMs, logFields, reportTo };
    new Worker(new URL('watchdog-thread.js', import.meta.url), {
        workerData: data,
        name: 'watchdog',
        // Not those of the process, such as a preloaded module with listeners of its own.
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    }).unref();
    const count = new Int32Array(counter);
    const moves = () => void Atomics.add(count, 0, 1);
    setInterval(moves, tickMs).unref();
    return { held, moves };
}
//# sourceMappingURL=watchdog.js.map