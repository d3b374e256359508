/**
 * Forks the processes in which a worker runs suspects: one shared process runs the tasks that have just lost their worker, and some others
 * run one task alone each. A task that has run alone for some time, or has recorded something, is cleared: it stays in its process and
 * gives its place to the next one. So a few long tasks do not hold up the trial of the guilty one.
 */
import type { TaskJob, Trial, TrialEnd, TrialProcesses, TrialTerms, WorkerLease } from '@longhaul/tasks';
import { residentBytes, totalMemory } from './linux-memory.js';
import { LEAST_BYTES, memoryShare } from './memory-share.js';
import type { IsolatedStart } from './messages.js';
import { TrialProcess, type TrialProcessOptions } from './trial-process.js';

/** A forked process, as its worker uses it. */
export type ForkedProcess = Pick<TrialProcess, 'run' | 'release' | 'stop' | 'active' | 'isOver' | 'memoryBytes' | 'residentBytes'>;

/** How processes are forked. */
export interface ForkedTrialsOptions {
  readonly workerId: string;
  readonly version: string;
  /** The lease of the worker whose jobs the processes run. */
  readonly lease: WorkerLease;
  /** How many run a task alone at the same time, if memory allows. Cleared tasks do not count. */
  readonly processes: number;
  /** A task that has run alone for this long is cleared, milliseconds. */
  readonly clearedAfterMs: number;
  /** Memory that each may take, bytes. Default: its share of what the container has left. */
  readonly memoryBytes?: number;
  readonly maxBlockMs: number;
}

/** The limit in the shared process: a false alarm costs little there, because no task is blamed and its neighbours only wait. */
const TOGETHER_MAX_BLOCK_MS = 4_000;
/** How long a process without anything to run is kept for the next suspect. */
const IDLE_MS = 5_000;

interface Waiting {
  readonly isNamed: boolean;
  readonly start: (process: ForkedProcess) => void;
}

/** `TrialProcesses` of one worker. */
export class ForkedTrials implements TrialProcesses {
  #together: ForkedProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #alone = new Set<ForkedProcess>();
  /** They run a cleared task each. */
  readonly #cleared = new Set<ForkedProcess>();
  readonly #waiting: Waiting[] = [];
  readonly #released = new AbortController();

  constructor(
    private readonly options: ForkedTrialsOptions,
    private readonly fork: (options: TrialProcessOptions) => ForkedProcess = (fork) => new TrialProcess(fork),
  ) {}

  run(trial: Trial, job: TaskJob, terms: TrialTerms): Promise<TrialEnd> {
    return trial === 'together' ? this.#runTogether(job, terms) : this.#runAlone(job, terms);
  }

  /** Has a process ready for the tasks that lose their worker soon. */
  prepare(): void {
    if (this.#released.signal.aborted) return;
    this.#shared();
    this.#keepIdle();
  }

  /** Makes all processes release what they run; what waits for a process is delivered again elsewhere. */
  release(): void {
    this.#released.abort(new Error('The worker shuts down.'));
    this.#together?.release();
    for (const process of [...this.#alone, ...this.#cleared]) process.release();
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    this.release();
    clearTimeout(this.#idle);
    const shared = this.#together === undefined ? [] : [this.#together];
    await Promise.all([...shared, ...this.#alone, ...this.#cleared].map((process) => process.stop()));
  }

  async #runTogether(job: TaskJob, terms: TrialTerms): Promise<TrialEnd> {
    this.#released.signal.throwIfAborted();
    clearTimeout(this.#idle);
    const process = this.#shared();
    try {
      return await process.run(job, terms);
    } finally {
      if (process === this.#together && process.active === 0) this.#keepIdle();
    }
  }

  #shared(): ForkedProcess {
    if (this.#together !== undefined && !this.#together.isOver) return this.#together;
    const { maxBlockMs } = this.options;
    this.#together = this.#fork('together', this.#share(2) ?? LEAST_BYTES, Math.min(maxBlockMs, TOGETHER_MAX_BLOCK_MS));
    return this.#together;
  }

  #keepIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      const process = this.#together;
      this.#together = undefined;
      void process?.stop();
    }, IDLE_MS).unref();
  }

  async #runAlone(job: TaskJob, terms: TrialTerms): Promise<TrialEnd> {
    const process = await this.#turn(AbortSignal.any([terms.signal, this.#released.signal]), terms.isNamed);
    const clear = (): void => {
      if (!this.#alone.delete(process)) return;
      this.#cleared.add(process);
      terms.onCleared();
      this.#startWaiting();
    };
    let limit: NodeJS.Timeout | undefined;
    const onStart = (): void => {
      limit = setTimeout(clear, this.options.clearedAfterMs).unref();
      terms.onStart();
    };
    try {
      return await process.run(job, { ...terms, onStart, onRecorded: clear });
    } finally {
      clearTimeout(limit);
      await process.stop();
      this.#alone.delete(process);
      this.#cleared.delete(process);
      this.#startWaiting();
    }
  }

  #turn(signal: AbortSignal, isNamed: boolean): Promise<ForkedProcess> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leaveQueue = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        isNamed,
        start: (process) => {
          signal.removeEventListener('abort', leaveQueue);
          resolve(process);
        },
      };
      signal.addEventListener('abort', leaveQueue, { once: true });
      const behindNamed = this.#waiting.findIndex((other) => !other.isNamed);
      this.#waiting.splice(isNamed && behindNamed >= 0 ? behindNamed : this.#waiting.length, 0, waiting);
      this.#startWaiting();
    });
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0 && this.#alone.size < this.options.processes) {
      const share = this.#share(this.options.processes - this.#alone.size);
      if (share === undefined) return;
      const process = this.#fork('alone', share, this.options.maxBlockMs);
      this.#alone.add(process);
      this.#waiting.shift()?.start(process);
    }
  }

  #share(free: number): number | undefined {
    const { memoryBytes: mostBytes } = this.options;
    // Without cleared ones, the operator's number of processes and their memory bound the whole.
    if (mostBytes !== undefined && this.#cleared.size === 0) return mostBytes;
    const workerBytes = residentBytes(process.pid) || process.memoryUsage.rss();
    const promisedBytes = [...this.#alone].map(({ memoryBytes }) => memoryBytes);
    // What has run for long is known to need what it has.
    const takenBytes = [...this.#cleared].map(({ residentBytes: bytes }) => bytes);
    return memoryShare({ totalBytes: totalMemory(), workerBytes, promisedBytes: [...promisedBytes, ...takenBytes], free, mostBytes });
  }

  #fork(trial: Trial, memoryBytes: number, maxBlockMs: number): ForkedProcess {
    const { workerId, version, lease } = this.options;
    const start: IsolatedStart = { trial, workerId, version, maxBlockMs };
    return this.fork({ start, memoryBytes, lease });
  }
}
