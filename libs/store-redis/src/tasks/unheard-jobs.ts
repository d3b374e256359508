/**
 * Finds jobs that Redis gave to a worker which never received the reply, because the connection broke. No worker runs them, and their locks
 * would last until they expire. The worker finds them when the connection is back: its own locks, seen twice, of jobs that it does not run.
 */
import type { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { JobLocks } from './job-locks.js';

/** Dependencies of the search. */
export interface UnheardJobsOptions {
  /** Emits when its connection, or one of a cluster, broke. */
  readonly redis: Pick<EventEmitter, 'on' | 'off'>;
  readonly locks: Pick<JobLocks, 'heldBy' | 'release'>;
  readonly workerToken: string;
  readonly isRunning: (jobId: string) => boolean;
  /** Called when locks were released. */
  readonly onReleased: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The event that a connection, or one of a cluster, emits when it breaks. */
const BROKEN = ['close', '-node', 'node error'] as const;

/** A job with a received reply begins or ends within this time. */
const IN_FLIGHT_MS = 1_000;

const RETRY_MS = 1_000;

/** Looks for such jobs after each break of the connection. */
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
    const { onError } = this.options;
    const { signal } = this.#stopped;
    let seen = 0;
    while (seen < this.#breaks && !signal.aborted) {
      const breaks = this.#breaks;
      try {
        await this.#release(signal);
        seen = breaks;
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await wait(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  async #release(signal: AbortSignal): Promise<void> {
    const { locks, workerToken, isRunning, onReleased } = this.options;
    // Redis answers this after the replies that it has yet to send: what is in flight is known soon afterwards.
    const first = (await locks.heldBy(workerToken)).filter(({ jobId }) => !isRunning(jobId));
    if (first.length === 0) return;
    await wait(IN_FLIGHT_MS, undefined, { signal, ref: false });
    const count = await locks.release(first.filter(({ jobId }) => !isRunning(jobId)));
    if (count > 0) await onReleased();
  }
}
