/**
 * Takes jobs from BullMQ; `job-runs.ts` decides what happens to them. It uses BullMQ's public members only. BullMQ keeps count of the
 * slots, fetches the next job with the end of the one before, and looks for jobs that have lost their locks.
 */
import { type ConsumeOptions, type JobHandler, NO_RULES, type TaskConsumer } from '@longhaul/tasks';
import type { LockTimes } from '@longhaul/tasks/store';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'bullmq';
import type { RedisClient } from '@longhaul/redis';
import { WORKER_OPTIONS } from './bullmq-settings.js';
import { FairOrder } from './fair-order.js';
import { JobLocks } from './job-locks.js';
import { JobRuns, type QueuedData } from './job-runs.js';
import { QUEUE_NAME, type RedisKeys } from '../keys/tasks.js';
import { LockRenewal } from './lock-renewal.js';
import type { RedisClock } from './redis-clock.js';
import { RunningLimits } from './running-limits.js';
import { SetAside } from './set-aside.js';
import { UnheardJobs } from './unheard-jobs.js';

/** How long a worker without running jobs waits for its queue to be paused. */
const MAX_PAUSE_MS = 500;

/** Dependencies of the consumer. */
export interface BullMqTaskConsumerDeps extends ConsumeOptions {
  /** A connection for jobs, connected already; the consumer closes it. */
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly handler: JobHandler;
  readonly lockTimes: LockTimes;
  readonly clock: RedisClock;
  readonly onError: (error: unknown) => void;
}

/** `TaskConsumer` on a BullMQ worker. */
export class BullMqTaskConsumer implements TaskConsumer {
  readonly #worker: Worker<QueuedData, void>;
  readonly #runs: JobRuns;
  readonly #renewal: LockRenewal;
  readonly #locks: JobLocks;
  readonly #unheard: UnheardJobs;
  readonly #order: FairOrder;
  readonly #limits: RunningLimits;

  constructor(private readonly deps: BullMqTaskConsumerDeps) {
    const { redis, keys, concurrency, lockTimes, onError } = deps;
    const rules = () => deps.rules?.() ?? NO_RULES;
    this.#locks = new JobLocks(redis, keys);
    this.#limits = new RunningLimits({ redis, keys, rules, onError });
    this.#runs = new JobRuns({
      ...deps,
      rules,
      keyOf: deps.keyOf,
      limits: this.#limits,
      aside: new SetAside(redis, keys),
      onChange: () => this.#order.changed(),
    });
    this.#worker = new Worker<QueuedData, void>(
      QUEUE_NAME,
      // Without the third parameter BullMQ makes no signal of its own. Ours does more: BullMQ keeps its signal by the job's id, where a
      // second delivery to this worker replaces it.
      (job, token) => this.#runs.run(job, token),
      {
        ...WORKER_OPTIONS,
        autorun: false,
        connection: redis,
        prefix: keys.queuePrefix(),
        concurrency,
        lockDuration: lockTimes.lockDurationMs,
        stalledInterval: lockTimes.stalledIntervalMs,
      },
    );
    this.#renewal = new LockRenewal({
      lockDurationMs: lockTimes.lockDurationMs,
      running: this.#runs.running,
      extend: (jobIds, tokens, durationMs) => this.#worker.extendJobLocks(jobIds, tokens, durationMs),
      onError,
    });
    const active = (): number => this.active;
    this.#order = new FairOrder({ redis, keys, slots: concurrency, active, rules, onError });
    this.#unheard = new UnheardJobs({
      redis,
      locks: this.#locks,
      workerToken: this.lockToken,
      isRunning: (jobId) => this.#runs.running.has(jobId),
      onReleased: () => this.#deliverReleased(),
      onError,
    });
    // Without a listener an 'error' event would end the process.
    this.#worker.on('error', onError);
    this.#worker.on('drained', () => this.#order.ranOut());
  }

  /** Resolves when the worker is connected and takes jobs. */
  async start(): Promise<void> {
    await this.#worker.waitUntilReady();
    await this.deps.beforeFirstJob?.(this);
    this.#order.start();
    this.#limits.start();
    this.#renewal.start();
    // Resolves when the worker is closed.
    void this.#worker.run().catch(this.deps.onError);
  }

  get lockToken(): string {
    return this.#worker.id;
  }

  get active(): number {
    return this.#runs.running.size;
  }

  async drain(): Promise<void> {
    this.#runs.takeNoMore();
    this.#order.stop();
    this.#limits.stop();
    // Not close(): a second close(true) would only wait for the first one, so nothing could end it early.
    const paused = this.#worker.pause().catch(this.deps.onError);
    await this.#runs.idle();
    // A job that is fetched from now on is put back at once. Without Redis the pause never ends.
    await Promise.race([paused, wait(MAX_PAUSE_MS, undefined, { ref: false })]);
  }

  loseAll(): void {
    this.#runs.loseAll();
  }

  async recover(lockToken: string, isDead: () => Promise<boolean>): Promise<number | undefined> {
    const locks = await this.#locks.heldBy(lockToken);
    if (!(await isDead())) return undefined;
    const count = await this.#locks.release(locks);
    if (count > 0) await this.#deliverReleased();
    return count;
  }

  async close(): Promise<void> {
    this.#unheard.stop();
    this.#order.stop();
    this.#limits.stop();
    this.#renewal.stop();
    this.#runs.close();
    await this.#worker.close(true);
    // Not QUIT: the connection may have unanswered commands of the worker, which are no longer awaited.
    this.deps.redis.disconnect();
  }

  /** Delivers jobs again after their locks were released; otherwise the next check would be up to an interval away. */
  async #deliverReleased(): Promise<void> {
    await this.#worker.startStalledCheckTimer();
  }
}
