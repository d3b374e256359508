/**
 * Jobs that Redis gave to a worker which never heard of it, because the connection broke before the reply came. Nobody runs
 * them, and their locks would be kept until they expire. The worker finds them when the connection is back: locks of its own,
 * seen twice, of jobs that it does not run.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { RedisClient } from '@longhaul/redis';
import type { JobLocks } from './job-locks.js';

/** What is looked at, and how. */
export interface UnheardJobsOptions {
  readonly redis: RedisClient;
  readonly locks: JobLocks;
  readonly workerToken: string;
  readonly isRunning: (jobId: string) => boolean;
  /** Called with the number of released locks, if any. */
  readonly onReleased: (count: number) => unknown;
  readonly onError: (error: unknown) => void;
}

/** What a connection, or one of a cluster, says when it broke. */
const BROKEN = ['close', '-node', 'node error'] as const;

/** Within this time a job begins or ends whose reply came. */
const IN_FLIGHT_MS = 1_000;

const RETRY_MS = 1_000;

/** Looks for them after each break of the connection. */
export class UnheardJobs {
  readonly #stopped = new AbortController();
  #breaks = 0;
  #isLooking = false;

  constructor(private readonly options: UnheardJobsOptions) {
    for (const event of BROKEN) options.redis.on(event, this.#onBreak);
  }

  stop(): void {
    this.#stopped.abort();
    for (const event of BROKEN) this.options.redis.off(event, this.#onBreak);
  }

  readonly #onBreak = (): void => {
    this.#breaks += 1;
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.#look().finally(() => (this.#isLooking = false));
  };

  async #look(): Promise<void> {
    const { onError, onReleased } = this.options;
    const { signal } = this.#stopped;
    let seen = 0;
    while (seen < this.#breaks && !signal.aborted) {
      const breaks = this.#breaks;
      try {
        const count = await this.#release(signal);
        if (count > 0) await onReleased(count);
        seen = breaks;
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await wait(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  async #release(signal: AbortSignal): Promise<number> {
    const { locks, workerToken, isRunning } = this.options;
    // Redis answers this after the replies that it has yet to send: what is in flight is known soon afterwards.
    const first = (await locks.heldBy(workerToken)).filter(({ jobId }) => !isRunning(jobId));
    if (first.length === 0) return 0;
    await wait(IN_FLIGHT_MS, undefined, { signal, ref: false });
    return locks.release(first.filter(({ jobId }) => !isRunning(jobId)));
  }
}
