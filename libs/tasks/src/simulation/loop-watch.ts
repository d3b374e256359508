/**
 * Ends code of a simulated task that never yields, such as `for (;;);`: no timer of a test runner reaches it. A thread looks whether a
 * counter of this one moves. When it does not, the thread stops this one by the inspector, and calls a function within the loop: it knows
 * the task by its asynchronous context, and an error that it makes has the stack of the loop. Then the process ends: Node does not survive
 * that a part of what it runs is terminated (it finds its stack of asynchronous contexts corrupt).
 *
 * Only the main thread of a process can be stopped in this way, and not while a debugger has it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import { url as debuggerUrl } from 'node:inspector';
import { extname } from 'node:path';
// The real ones, also where a test has replaced the global ones.
import { clearInterval, setInterval } from 'node:timers';
import { isMainThread, Worker } from 'node:worker_threads';
import type { LoopWatchData } from './loop-watch-thread.js';

/** Whose code is watched. */
export interface LoopWatched {
  /** How long its code may run without yielding, milliseconds. */
  readonly maxBlockMs: number;
  /** Makes the error, called where the loop is. */
  readonly loopError: (blockedMs: number) => Error;
}

const ON_LOOP = 'longhaul.onLoop';
const STANDARD_ERROR = 2;
const COUNT_EVERY_MS = 50;

const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
const numbers = new Int32Array(shared);
const present = new AsyncLocalStorage<LoopWatched>();
const active = new Set<LoopWatched>();
let counting: NodeJS.Timeout | undefined;
let thread: Worker | undefined;

/** Watches what `work` runs and starts until it has settled. */
export async function whileWatched<T>(watched: LoopWatched, work: () => Promise<T>): Promise<T> {
  if (!isMainThread || debuggerUrl() !== undefined) return work();
  thread ??= startThread();
  active.add(watched);
  watchActive();
  try {
    return await present.run(watched, work);
  } finally {
    active.delete(watched);
    watchActive();
  }
}

/** Says that the code has not stopped to do something, also where it leaves no time for timers. */
export function noteProgress(): void {
  Atomics.add(numbers, 0, 1);
}

function watchActive(): void {
  noteProgress();
  Atomics.store(numbers, 1, active.size === 0 ? 0 : Math.min(...[...active].map(({ maxBlockMs }) => maxBlockMs)));
  if (active.size > 0) counting ??= setInterval(noteProgress, COUNT_EVERY_MS).unref();
  else {
    clearInterval(counting);
    counting = undefined;
  }
}

function startThread(): Worker {
  Object.defineProperty(globalThis, Symbol.for(ON_LOOP), { value: reportLoop, configurable: true });
  const workerData: LoopWatchData = { shared, onLoop: ON_LOOP };
  const started = new Worker(new URL(`loop-watch-thread${extname(import.meta.url)}`, import.meta.url), { workerData, execArgv: [] });
  started.on('error', (error) => process.emitWarning(`Loops that never end are not noticed: ${error.message}`, 'LonghaulWarning'));
  started.unref();
  return started;
}

/** Runs within the loop, while everything else stands still. @returns whether the loop belongs to a task, and the process must end */
function reportLoop(blockedMs: number): boolean {
  const watched = present.getStore();
  if (watched === undefined || blockedMs < watched.maxBlockMs) return false;
  const error = watched.loopError(blockedMs);
  Error.captureStackTrace(error, reportLoop);
  writeSync(STANDARD_ERROR, `${error.stack ?? error.message}\n`);
  return true;
}
