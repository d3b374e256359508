/**
 * Extraction in processes of their own: what it takes in time and memory is up to the author of the page. A process that takes too
 * much is killed, and nothing else ends with it. All pages of this process share a few places, owner by owner.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Extraction, HtmlPage } from './extraction.js';
import { PageFault } from './failures.js';
import { OwnerTurns } from './owner-turns.js';

/** Whose page is extracted. */
export interface Extracting {
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Extracts what is worth reading of a page. */
export type Extract = (page: HtmlPage, extracting: Extracting) => Promise<Extraction>;

const MAX_PROCESSES = 2;
const MAX_MS = 30_000;
/** What V8 may take for objects, and what the process may take in all. A container of 512 MiB has room for two and for us. */
const MAX_HEAP_MIB = 96;
const MAX_MEMORY_MIB = 192;
const LOOK_AT_MEMORY_MS = 50;
const MEMORY = `more than ${MAX_MEMORY_MIB} MiB of memory`;
/** What V8 ends a process with, where that is no signal. */
const OUT_OF_MEMORY = 134;

const turns = new OwnerTurns(MAX_PROCESSES);

/** @throws PageFault when it takes too long, or too much memory, or fails; what the signal was aborted with */
export const extractionInProcess: Extract = async (page, { owner, signal }) => {
  const leave = await turns.enter(owner, signal);
  try {
    return await inProcess(page, signal);
  } finally {
    leave();
  }
};

async function inProcess(page: HtmlPage, signal: AbortSignal): Promise<Extraction> {
  const child = fork(new URL('extraction-process.js', import.meta.url), [String(process.pid)], {
    // Nothing of this process is of use to a page.
    execArgv: [`--max-old-space-size=${MAX_HEAP_MIB}`, '--max-semi-space-size=4'],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  const { promise, resolve, reject } = Promise.withResolvers<Extraction>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  child.on('message', (extraction) => resolve(extraction as Extraction));
  // Also late ones, such as that it could not be killed or sent to: they have nobody else who listens.
  child.on('error', (error) => {
    reject(failed(error.message, error));
    if (child.pid === undefined) end();
  });
  child.on('exit', (code, killedBy) => {
    reject(code === null || code === OUT_OF_MEMORY ? tooMuch(MEMORY) : failed(`its process ended with ${code ?? killedBy}`));
    end();
  });
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  const timeout = setTimeout(() => reject(tooMuch(`longer than ${MAX_MS} ms`)), MAX_MS);
  const look = setInterval(() => residentMib(child) > MAX_MEMORY_MIB && reject(tooMuch(MEMORY)), LOOK_AT_MEMORY_MS);
  child.send(page, (error) => error !== null && reject(failed(error.message, error)));
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

function tooMuch(what: string): PageFault {
  return new PageFault(`its simplification takes ${what}, which is the limit; with raw it is returned as it is`);
}

function failed(why: string, cause?: Error): PageFault {
  return new PageFault(`its simplification failed (${why}); with raw it is returned as it is`, { cause });
}

/** 0 where it is not known: the heap is bounded all the same. */
function residentMib({ pid }: ChildProcess): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It has just ended.
  }
}
