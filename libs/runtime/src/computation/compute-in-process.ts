/**
 * Computations whose time and memory are up to somebody else, such as the author of a page or of a schema, in processes of their own. One
 * that takes too much is killed, and nothing else ends with it: memory that runs out in a thread would end the whole process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_AT_MEMORY_MS = 50;
/** What V8 ends a process with, where that is no signal. */
const OUT_OF_MEMORY = 134;

/** What a computation may take. */
export interface ComputationLimits {
  /** From the start of its process on. */
  readonly maxMs: number;
  /** What V8 may take for objects. */
  readonly maxHeapMib: number;
  /** What the process may take in all. */
  readonly maxMemoryMib: number;
}

/** A computation has taken too much, or failed. Its message goes on after the name of what was computed. */
export class ComputationFailed extends Error {
  override readonly name = 'ComputationFailed';
}

/**
 * Computes in a new process, which is killed at the end, and ends with this one.
 *
 * @param module what the process runs; it calls `serveComputation`
 * @param input any value that can be cloned
 * @throws ComputationFailed when it takes too long, or too much memory, or fails; what the signal is aborted with
 */
export async function computeInProcess<T>(module: URL, input: unknown, limits: ComputationLimits, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { maxMs, maxHeapMib, maxMemoryMib } = limits;
  const memory = `more than ${maxMemoryMib} MiB of memory`;
  const child = fork(module, [String(process.pid)], {
    // Nothing of this process is of use to whose input it is.
    execArgv: [`--max-old-space-size=${maxHeapMib}`, '--max-semi-space-size=4'],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  child.on('message', (result) => resolve(result as T));
  // Also late ones, such as that it could not be killed or sent to: they have nobody else who listens.
  child.on('error', (error) => {
    reject(failed(error.message, error));
    if (child.pid === undefined) end();
  });
  child.on('exit', (code, killedBy) => {
    reject(code === null || code === OUT_OF_MEMORY ? tooMuch(memory) : failed(`its process ended with ${code ?? killedBy}`));
    end();
  });
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  const timeout = setTimeout(() => reject(tooMuch(`longer than ${maxMs} ms`)), maxMs);
  const look = setInterval(() => residentMib(child) > maxMemoryMib && reject(tooMuch(memory)), LOOK_AT_MEMORY_MS);
  child.send(input as object, (error) => error !== null && reject(failed(error.message, error)));
  try {
    return await promise;
  } finally {
    clearTimeout(timeout);
    clearInterval(look);
    signal.removeEventListener('abort', abort);
    child.kill('SIGKILL');
    // Its place is free when its memory is.
    await ended;
  }
}

function tooMuch(what: string): ComputationFailed {
  return new ComputationFailed(`takes ${what}, which is the limit`);
}

function failed(why: string, cause?: Error): ComputationFailed {
  return new ComputationFailed(`failed (${why})`, { cause });
}

/** 0 where it is not known: the heap is bounded all the same. */
function residentMib({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It has just ended.
  }
}
