/**
 * Runs computations in processes of their own, if a third party decides how much time and memory they need, such as the author of a page or
 * of a schema. A computation that takes too much is killed, and nothing else ends with it: in a thread, exhausted memory would end the
 * whole process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOOK_AT_MEMORY_MS = 50;
/** The exit code of V8 when memory ran out, on systems where it does not end with a signal. */
const OUT_OF_MEMORY = 134;

/** The most that a computation may take. */
export interface ComputationLimits {
  /** Counted from the start of its process. */
  readonly maxMs: number;
  /** The most that V8 may take for objects. */
  readonly maxHeapMib: number;
  /** The most that the process may take in total. */
  readonly maxMemoryMib: number;
}

/** A computation has taken too much, or failed. Its message continues a sentence that begins with the name of the computation. */
export class ComputationFailed extends Error {
  override readonly name = 'ComputationFailed';
}

/**
 * Computes in a new process, which is killed at the end, and also when this process ends.
 *
 * @param module the code of the process; it calls `serveComputation`
 * @param input any value that can be cloned
 * @throws ComputationFailed when it takes too long, takes too much memory, or fails; the signal's reason
 */
export async function computeInProcess<T>(module: URL, input: unknown, limits: ComputationLimits, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { maxMs, maxHeapMib, maxMemoryMib } = limits;
  const memory = `more than ${maxMemoryMib} MiB of memory`;
  const child = fork(module, [String(process.pid)], {
    // The third party must not use anything of this process.
    execArgv: [`--max-old-space-size=${maxHeapMib}`, '--max-semi-space-size=4'],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  child.on('message', (result) => resolve(result as T));
  // The listener also receives late errors, such as a failed kill or send: they have no other listener.
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
    // The slot is free only when its memory is.
    await ended;
  }
}

function tooMuch(what: string): ComputationFailed {
  return new ComputationFailed(`takes ${what}, which is the limit`);
}

function failed(why: string, cause?: Error): ComputationFailed {
  return new ComputationFailed(`failed (${why})`, { cause });
}

/** 0 if it is not known: then only the heap is bounded. */
function residentMib({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It has just ended.
  }
}
