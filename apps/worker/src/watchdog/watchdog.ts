/**
 * Ends the process when its main thread blocks, such as in an author's loop that never yields: a blocked thread sends no heartbeats, does
 * not drain, answers no health checks and holds up all its other work. A thread of its own watches whether a counter of the main thread
 * moves. It logs the held tasks and the position of the main thread, and sends SIGKILL, because a thread that does not yield reacts to no
 * other signal. The supervisor of the process starts it again.
 */
import { Worker } from 'node:worker_threads';
import { HeldTasks } from './held-tasks.js';

/** The data that the thread receives. */
export interface WatchdogData {
  readonly counter: SharedArrayBuffer;
  readonly held: SharedArrayBuffer;
  readonly tickMs: number;
  readonly maxBlockMs: number;
  readonly logFields: Readonly<Record<string, unknown>>;
  readonly reportTo: number | undefined;
}

/** The options of the watchdog. */
export interface WatchdogOptions {
  /** How long the main thread may block. */
  readonly maxBlockMs: number;
  /** Tasks that may be held at the same time. */
  readonly slots: number;
  /** Fields of the logged line, next to level, time and message. */
  readonly logFields: Readonly<Record<string, unknown>>;
  /** File descriptor of the pipe to the worker that forked this process: see report.ts. */
  readonly reportTo?: number;
}

/** The counter moves this often within the limit. */
const TICKS_WITHIN_LIMIT = 20;
const LONGEST_TICK_MS = 250;

/** A thread under the watchdog. */
export interface Watched {
  /** The list in which the thread must note the tasks that it holds. */
  readonly held: HeldTasks;
  /** Confirms that the thread is not blocked. The thread confirms it by itself, but only after all callbacks that are due at once. */
  readonly moves: () => void;
}

/** Starts to watch this thread. */
export function startWatchdog({ maxBlockMs, slots, logFields, reportTo }: WatchdogOptions): Watched {
  const tickMs = Math.min(LONGEST_TICK_MS, Math.ceil(maxBlockMs / TICKS_WITHIN_LIMIT));
  const counter = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const held = new HeldTasks(slots);
  const data: WatchdogData = { counter, held: held.memory, tickMs, maxBlockMs, logFields, reportTo };
  new Worker(new URL('watchdog-thread.js', import.meta.url), {
    workerData: data,
    name: 'watchdog',
    // The thread must not take the flags of the process, such as a preloaded module with listeners of its own.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  }).unref();
  const count = new Int32Array(counter);
  const moves = (): void => void Atomics.add(count, 0, 1);
  setInterval(moves, tickMs).unref();
  return { held, moves };
}
