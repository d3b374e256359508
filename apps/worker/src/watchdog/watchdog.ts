/**
 * Ends the process when its main thread stands still, such as in a loop of an author's that never yields: then it beats,
 * drains and answers health checks no more, and whatever else it holds waits. A thread of its own looks whether a counter
 * of the main thread moves. It logs the tasks that were held and where the main thread is, and sends SIGKILL, because
 * nothing softer reaches a thread that does not yield. Whoever started the process starts it again.
 */
import { Worker } from 'node:worker_threads';
import { HeldTasks } from './held-tasks.js';

/** What a process that stood still says to its parent, if it has one. */
export const STOOD_STILL = 'stood still';

/** What the thread is given. */
export interface WatchdogData {
  readonly counter: SharedArrayBuffer;
  readonly held: SharedArrayBuffer;
  readonly tickMs: number;
  readonly maxBlockMs: number;
  readonly logFields: Readonly<Record<string, unknown>>;
  readonly reportTo: number | undefined;
}

/** What is watched, and who hears of it. */
export interface WatchdogOptions {
  /** How long the main thread may stand still. */
  readonly maxBlockMs: number;
  /** Tasks that may be held at the same time. */
  readonly slots: number;
  /** Stand in the line that is logged, beside level, time and message. */
  readonly logFields: Readonly<Record<string, unknown>>;
  /** File descriptor that gets `STOOD_STILL`. */
  readonly reportTo?: number;
}

/** The counter moves this often within the limit. */
const TICKS_WITHIN_LIMIT = 20;
const LONGEST_TICK_MS = 250;

/** Starts to watch this thread. @returns where the tasks that it holds are to be noted */
export function startWatchdog({ maxBlockMs, slots, logFields, reportTo }: WatchdogOptions): HeldTasks {
  const tickMs = Math.min(LONGEST_TICK_MS, Math.ceil(maxBlockMs / TICKS_WITHIN_LIMIT));
  const counter = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const held = new HeldTasks(slots);
  const data: WatchdogData = { counter, held: held.memory, tickMs, maxBlockMs, logFields, reportTo };
  new Worker(new URL('watchdog-thread.js', import.meta.url), {
    workerData: data,
    name: 'watchdog',
    // Not those of the process, such as a preloaded module with listeners of its own.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  }).unref();
  const count = new Int32Array(counter);
  setInterval(() => Atomics.add(count, 0, 1), tickMs).unref();
  return held;
}
