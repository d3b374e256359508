/**
 * Renews the locks of the jobs that run in one worker, all of them in one script. It replaces BullMQ's renewal, which continues until
 * BullMQ ends the job. A job that is delayed or set aside has no lock by then, so BullMQ could report it as lost. BullMQ also knows
 * jobs by their id alone, and forgets the lock of a second run when the first run ends.
 */
import type { RunningJob } from './job-runs.js';

/** How often, as a share of the time of a lock. At least five sixths of that time are left when Redis goes away. */
const RENEW_SHARE = 1 / 12;

/** Dependencies of the renewal. */
export interface LockRenewalDeps {
  readonly lockDurationMs: number;
  /** The locks by job id. */
  readonly running: ReadonlyMap<string, RunningJob>;
  /** Resolves with the jobs that have another lock by now, or no lock. */
  readonly extend: (jobIds: string[], tokens: string[], durationMs: number) => Promise<string[]>;
  readonly onError: (error: unknown) => void;
}

/** Renews the locks from `start` to `stop`. */
export class LockRenewal {
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(private readonly deps: LockRenewalDeps) {
    this.#everyMs = deps.lockDurationMs * RENEW_SHARE;
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#renewAndGoOn(), this.#everyMs).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #renewAndGoOn(): Promise<void> {
    try {
      await this.#renew();
    } catch (error) {
      this.deps.onError(error);
    }
    if (!this.#isStopped) this.start();
  }

  async #renew(): Promise<void> {
    const { running, extend, lockDurationMs, onError } = this.deps;
    // A job that has just begun has a new lock.
    const begunBy = performance.now() - this.#everyMs;
    const jobs = [...running].filter(([, { since }]) => since <= begunBy);
    if (jobs.length === 0) return;
    const lost = new Set(
      await extend(
        jobs.map(([jobId]) => jobId),
        jobs.map(([, { token }]) => token),
        lockDurationMs,
      ),
    );
    for (const [jobId, job] of jobs) {
      // A job that has ended since then has no lock to lose.
      if (!lost.has(jobId) || running.get(jobId) !== job) continue;
      onError(new Error(`could not renew lock for job ${jobId}`));
      job.lose();
    }
  }
}
