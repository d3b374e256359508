/**
 * Controls a process that a worker has forked for suspects, from the worker's side. The worker keeps their jobs; the process runs each job
 * that it is given, and may die of it. It may use less memory than the container has, so that the container survives it, and it ends by
 * itself when the worker dies.
 */
import { lastCharacters } from '@longhaul/tasks/text';
import { type ChildProcess, fork } from 'node:child_process';
import { getHeapStatistics } from 'node:v8';
import type { Readable } from 'node:stream';
import type { TaskJob, TrialEnd, WorkerLease } from '@longhaul/tasks';
import { kernelKills, offerToKernel, residentBytes } from './linux-memory.js';
import { heapMebibytes } from './memory-share.js';
import type { FromIsolated, IsolatedStart, ToIsolated } from './messages.js';
import { readReport, REPORT_FD } from '../watchdog/report.js';

/** How a process is forked. */
export interface TrialProcessOptions {
  readonly start: IsolatedStart;
  /** Resident memory that it may take. */
  readonly memoryBytes: number;
  /** The lease of the worker. */
  readonly lease: WorkerLease;
}

const LOOK_AT_MEMORY_MS = 100;
/** How long the output may stay open after the process has ended: other processes may hold it open. */
const LAST_WORDS_MS = 500;
/** How long it may take to release its tasks when it is stopped. */
const STOP_MS = 5_000;
const KEPT_TEXT = 4_096;
/** If the process used less than this share of its memory, another process had taken too much. */
const OWN_FAULT_SHARE = 0.5;
const OUT_OF_MEMORY = 'ran out of memory';

/** How a delivery is run. */
export interface RunTerms {
  readonly signal: AbortSignal;
  /** Called when the process has the delivery. */
  readonly onStart: () => void;
  /** Called when its task has recorded something that counts in its favour. */
  readonly onRecorded?: () => void;
}

interface Pending {
  readonly onRecorded: (() => void) | undefined;
  readonly resolve: (end: TrialEnd) => void;
  readonly reject: (error: Error) => void;
}

/** A forked process. */
export class TrialProcess {
  readonly memoryBytes: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #ready: Promise<void>;
  readonly #killsBefore = kernelKills();
  #lastId = 0;
  #isOver = false;
  #residentBytes = 0;
  #tookTooMuch = false;
  #errors = '';
  #report = '';

  constructor({ start, memoryBytes, lease }: TrialProcessOptions) {
    this.memoryBytes = memoryBytes;
    const heap = heapMebibytes(memoryBytes, getHeapStatistics().heap_size_limit);
    this.#child = fork(new URL('isolated.js', import.meta.url), [JSON.stringify(start)], {
      // Node obeys the later one of two equal flags. Two processes cannot listen on one port of the inspector.
      execArgv: [...process.execArgv.filter((argument) => !argument.startsWith('--inspect')), `--max-old-space-size=${heap}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
    });
    const { pid, stdout, stderr, stdio } = this.#child;
    if (pid !== undefined) offerToKernel(pid);
    stdout?.on('data', (chunk: Buffer) => process.stdout.write(chunk));
    stderr?.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk);
      this.#errors = lastCharacters(this.#errors + chunk.toString(), KEPT_TEXT);
    });
    (stdio[REPORT_FD] as Readable | null | undefined)?.on(
      'data',
      (chunk: Buffer) => (this.#report = lastCharacters(this.#report + chunk.toString(), KEPT_TEXT)),
    );
    const ready = Promise.withResolvers<void>();
    this.#ready = ready.promise;
    // The callers of `run` receive the error; without a caller it would be an unhandled rejection.
    this.#ready.catch(() => undefined);
    this.#child.on('message', (message: FromIsolated) => {
      if (message.type === 'ready') ready.resolve();
      else this.#settle(message);
    });
    const passOn = (): void => this.#send({ type: 'lease', untilMs: lease.untilMs });
    passOn();
    const stop = lease.onRenewed(passOn);
    const memory = setInterval(() => this.#lookAtMemory(), LOOK_AT_MEMORY_MS).unref();
    this.ended = this.#untilEnd(ready.reject).finally(() => {
      stop();
      clearInterval(memory);
    });
  }

  /** Resident memory that it takes, as far as it is known. */
  get residentBytes(): number {
    return this.#residentBytes;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** How many deliveries it runs now. */
  get active(): number {
    return this.#pending.size;
  }

  /** Runs a delivery. @throws Error when the process did not start, or could not judge it; the reason of `signal` when that aborts */
  async run(job: TaskJob, { signal, onStart, onRecorded }: RunTerms): Promise<TrialEnd> {
    await this.#ready;
    signal.throwIfAborted();
    const id = ++this.#lastId;
    const end = new Promise<TrialEnd>((resolve, reject) => this.#pending.set(id, { resolve, reject, onRecorded }));
    const abort = (): void => {
      this.#send({ type: 'abort', id });
      this.#pending.get(id)?.reject(signal.reason as Error);
      this.#pending.delete(id);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#send({ type: 'run', id, job });
    onStart();
    try {
      return await end;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Makes it release what it runs. */
  release(): void {
    this.#send({ type: 'release' });
  }

  /** Ends it: it releases what it still runs. Resolves when the process has ended. */
  async stop(): Promise<void> {
    if (this.#isOver) return;
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(timer);
  }

  async #untilEnd(failToStart: (error: Error) => void): Promise<void> {
    const { code, signal } = await endOf(this.#child);
    this.#isOver = true;
    const { stoodStill, taskId } = readReport(this.#report);
    const how = stoodStill ? 'stopped answering' : this.#howItEnded(code, signal);
    failToStart(new Error(`A process for tasks whose worker died did not start: it ${how ?? 'was killed'}.`));
    const end: TrialEnd = { kind: 'died', ...(how !== undefined && { how }), ...(taskId !== undefined && { taskId }) };
    for (const { resolve } of this.#pending.values()) resolve(end);
    this.#pending.clear();
  }

  #send(message: ToIsolated): void {
    // If the process has just ended, its end settles the deliveries that it ran.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #settle(message: Exclude<FromIsolated, { type: 'ready' }>): void {
    const pending = this.#pending.get(message.id);
    if (message.type === 'recorded') return pending?.onRecorded?.();
    this.#pending.delete(message.id);
    if (message.type === 'judged') pending?.resolve({ kind: 'judged', verdict: message.verdict });
    else pending?.reject(new Error(message.message));
  }

  #lookAtMemory(): void {
    this.#residentBytes = residentBytes(this.#child.pid ?? 0);
    if (this.#residentBytes <= this.memoryBytes) return;
    this.#tookTooMuch = true;
    this.#child.kill('SIGKILL');
  }

  #howItEnded(code: number | null, signal: NodeJS.Signals | null): string | undefined {
    if (this.#tookTooMuch || this.#errors.includes('heap out of memory')) return OUT_OF_MEMORY;
    if (signal === null) return `ended with code ${code}`;
    if (signal !== 'SIGKILL') return `was killed by ${signal}`;
    const byKernel = kernelKills() > this.#killsBefore && this.#residentBytes > this.memoryBytes * OWN_FAULT_SHARE;
    return byKernel ? OUT_OF_MEMORY : undefined;
  }
}

/** Resolves when the process has ended and its output has been read. */
function endOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    child.once('exit', (code, signal) => {
      const timer = setTimeout(() => resolve({ code, signal }), LAST_WORDS_MS);
      child.once('close', () => {
        clearTimeout(timer);
        resolve({ code, signal });
      });
    });
  });
}
