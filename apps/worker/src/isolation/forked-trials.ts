/**
 * Forks the processes in which a worker runs suspects: one shared process runs the tasks that have just lost their worker, and some others
 * run one task alone each.
 */
import type { TaskJob, Trial, TrialEnd, TrialProcesses, WorkerLease } from '@longhaul/tasks';
import { residentBytes, totalMemory } from './linux-memory.js';
import { LEAST_BYTES, memoryShare } from './memory-share.js';
import type { IsolatedStart } from './messages.js';
import { TrialProcess } from './trial-process.js';

/** How processes are forked. */
export interface ForkedTrialsOptions {
  readonly workerId: string;
  readonly version: string;
  /** The lease of the worker whose jobs the processes run. */
  readonly lease: WorkerLease;
  /** How many run a task alone at the same time, if memory allows. */
  readonly processes: number;
  /** Memory that each may take, bytes. Default: its share of what the container has left. */
  readonly memoryBytes?: number;
  readonly maxBlockMs: number;
}

/** The limit in the shared process: a false alarm costs little there, because no task is blamed and its neighbours only wait. */
const TOGETHER_MAX_BLOCK_MS = 2_000;
/** How long a process without anything to run is kept for the next suspect. */
const IDLE_MS = 5_000;

interface Waiting {
  readonly start: (process: TrialProcess) => void;
}

/** `TrialProcesses` of one worker. */
export class ForkedTrials implements TrialProcesses {
  #together: TrialProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #alone = new Set<TrialProcess>();
  readonly #waiting: Waiting[] = [];
  readonly #released = new AbortController();

  constructor(private readonly options: ForkedTrialsOptions) {}

  run(trial: Trial, job: TaskJob, signal: AbortSignal): Promise<TrialEnd> {
    const either = AbortSignal.any([signal, this.#released.signal]);
    return trial === 'together' ? this.#runTogether(job, signal) : this.#runAlone(job, signal, either);
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
    for (const process of this.#alone) process.release();
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    this.release();
    clearTimeout(this.#idle);
    const processes = this.#together === undefined ? this.#alone : [this.#together, ...this.#alone];
    await Promise.all([...processes].map((process) => process.stop()));
  }

  async #runTogether(job: TaskJob, signal: AbortSignal): Promise<TrialEnd> {
    this.#released.signal.throwIfAborted();
    clearTimeout(this.#idle);
    const process = this.#shared();
    try {
      return await process.run(job, signal);
    } finally {
      if (process === this.#together && process.active === 0) this.#keepIdle();
    }
  }

  #shared(): TrialProcess {
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

  async #runAlone(job: TaskJob, signal: AbortSignal, released: AbortSignal): Promise<TrialEnd> {
    const process = await this.#turn(released);
    try {
      return await process.run(job, signal);
    } finally {
      await process.stop();
      this.#alone.delete(process);
      this.#startWaiting();
    }
  }

  #turn(signal: AbortSignal): Promise<TrialProcess> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leaveQueue = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        start: (process) => {
          signal.removeEventListener('abort', leaveQueue);
          resolve(process);
        },
      };
      signal.addEventListener('abort', leaveQueue, { once: true });
      this.#waiting.push(waiting);
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
    if (this.options.memoryBytes !== undefined) return this.options.memoryBytes;
    const workerBytes = residentBytes(process.pid) || process.memoryUsage.rss();
    const promisedBytes = [...this.#alone].map(({ memoryBytes }) => memoryBytes);
    return memoryShare({ totalBytes: totalMemory(), workerBytes, promisedBytes, free });
  }

  #fork(trial: Trial, memoryBytes: number, maxBlockMs: number): TrialProcess {
    const { workerId, version, lease } = this.options;
    const start: IsolatedStart = { trial, workerId, version, maxBlockMs };
    return new TrialProcess({ start, memoryBytes, lease });
  }
}
