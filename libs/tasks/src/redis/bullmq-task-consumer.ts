/**
 * Takes jobs from BullMQ. What becomes of a delivery:
 *
 * - the handler's verdict has no `againAt`: the job is done and removed;
 * - it has one: the same job is delayed until then, which is not counted as an attempt;
 * - it names a pause: the same job is set aside until that is over, which is not counted either;
 * - the handler rejects: BullMQ retries after a second and counts an attempt;
 * - the worker dies or is closed: another worker releases its lock, or the lock expires, and a stall is counted.
 *
 * So a job with an attempt or a stall was started before and not judged: it is `redelivered`; one with a stall was
 * `lost` with its lock. (`attemptsStarted` would not show it: it counts `againAt` as well.)
 */
import { setTimeout as wait } from 'node:timers/promises';
import { DelayedError, type Job, Worker } from 'bullmq';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { LockTimes } from '../ports/lock-times.js';
import { JOB_NAME, QUEUE_NAME, WORKER_OPTIONS } from './bullmq-settings.js';
import { FairOrder } from './fair-order.js';
import { JobLocks } from './job-locks.js';
import type { FairOrderKeys, QueuePauseKeys } from './keys.js';
import {
  type ConsumeOptions,
  type JobHandler,
  JobLost,
  type JobVerdict,
  type QueuedTaskJob,
  REDELIVERY_DELAY_MS,
  type TaskConsumer,
} from '../ports/task-queue.js';
import type { PauseName } from '../ports/queue-pauses.js';
import type { JsonObject } from '../domain/json.js';
import { SET_ASIDE } from './scripts/queue-pauses.js';
import { UnheardJobs } from './unheard-jobs.js';

/** How long a worker without running jobs waits for its queue to be paused. */
const MAX_PAUSE_MS = 500;

/** A lock is renewed when this share of its time is over at most twice, so that five sixths are left when Redis goes away. */
const RENEW_SHARE = 1 / 6;

/** What the consumer works with. */
export interface BullMqTaskConsumerDeps extends ConsumeOptions {
  /** A connection for jobs, connected already; the consumer closes it. */
  readonly redis: RedisClient;
  /** Prefix of BullMQ's keys, with a hash tag. */
  readonly prefix: string;
  /** By which the order of waiting jobs is kept fair. */
  readonly fairOrder: FairOrderKeys;
  /** Where jobs are set aside. */
  readonly pauses: QueuePauseKeys;
  readonly handler: JobHandler;
  readonly lockTimes: LockTimes;
  readonly onError: (error: unknown) => void;
}

/** A side job as the queue keeps it: its own data, its lane, and how many workers had lost it when it was last judged, 0 if absent. */
type QueuedSideJob = JsonObject & { readonly lane?: string; readonly lossesBefore?: number };

type QueuedJob = Job<QueuedTaskJob | QueuedSideJob, void>;

/** `TaskConsumer` on a BullMQ worker. */
export class BullMqTaskConsumer implements TaskConsumer {
  readonly #worker: Worker<QueuedTaskJob | QueuedSideJob, void>;
  /** The handlers that run here by job id, also when their lock is lost. */
  readonly #running = new Map<string, AbortController>();
  readonly #locks: JobLocks;
  readonly #unheard: UnheardJobs;
  readonly #order: FairOrder;
  readonly #setAside: RunScript<typeof SET_ASIDE>;
  readonly #whenIdle: (() => void)[] = [];
  #draining = false;
  #closed = false;

  constructor(private readonly deps: BullMqTaskConsumerDeps) {
    const { redis, prefix, fairOrder, concurrency, lockTimes, onError } = deps;
    this.#worker = new Worker<QueuedTaskJob | QueuedSideJob, void>(
      QUEUE_NAME,
      // Without the third parameter BullMQ makes no signal of its own. Ours does more: BullMQ's goes with its
      // record of the job's id, which a second delivery to this worker replaces.
      (job, token) => this.#process(job, token),
      {
        ...WORKER_OPTIONS,
        autorun: false,
        connection: redis,
        prefix,
        concurrency,
        lockDuration: lockTimes.lockDurationMs,
        lockRenewTime: lockTimes.lockDurationMs * RENEW_SHARE,
        stalledInterval: lockTimes.stalledIntervalMs,
      },
    );
    const queueKey = `${prefix}:${QUEUE_NAME}`;
    this.#locks = new JobLocks(redis, queueKey);
    this.#setAside = defineScript(redis, SET_ASIDE);
    const active = (): number => this.#running.size;
    this.#order = new FairOrder({ redis, queueKey, keys: fairOrder, slots: concurrency, active, onError });
    this.#unheard = new UnheardJobs({
      redis,
      locks: this.#locks,
      workerToken: this.lockToken,
      isRunning: (jobId) => this.#running.has(jobId),
      onReleased: () => this.#worker.startStalledCheckTimer(),
      onError,
    });
    // Without a listener an 'error' event would end the process.
    this.#worker.on('error', onError);
    this.#worker.on('drained', () => this.#order.ranOut());
    // A lost lock does not abort the job by itself.
    this.#worker.on('lockRenewalFailed', (jobIds) => {
      for (const jobId of jobIds) this.#running.get(jobId)?.abort(new JobLost());
    });
  }

  /** Resolves when the worker is connected and takes jobs. */
  async start(): Promise<void> {
    await this.#worker.waitUntilReady();
    await this.deps.beforeFirstJob?.(this);
    this.#order.start();
    // Resolves when the worker is closed.
    void this.#worker.run().catch(this.deps.onError);
  }

  get lockToken(): string {
    return this.#worker.id;
  }

  get active(): number {
    return this.#running.size;
  }

  async drain(): Promise<void> {
    this.#draining = true;
    this.#order.stop();
    // Not close(): a second close(true) would only wait for the first one, so nothing could end it early.
    const paused = this.#worker.pause().catch(this.deps.onError);
    await this.#idle();
    // A job that is fetched from now on is put back at once. Without Redis the pause never ends.
    await Promise.race([paused, wait(MAX_PAUSE_MS, undefined, { ref: false })]);
  }

  #idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  loseAll(): void {
    for (const controller of this.#running.values()) controller.abort(new JobLost());
  }

  async recover(lockToken: string, isDead: () => Promise<boolean>): Promise<number | undefined> {
    const locks = await this.#locks.heldBy(lockToken);
    if (!(await isDead())) return undefined;
    const count = await this.#locks.release(locks);
    // The next check would be up to an interval away.
    if (count > 0) await this.#worker.startStalledCheckTimer();
    return count;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unheard.stop();
    this.#order.stop();
    this.loseAll();
    await this.#worker.close(true);
    // Not QUIT: the worker may have sent commands on it that nobody waits for any more.
    this.deps.redis.disconnect();
  }

  async #process(job: QueuedJob, token: string | undefined): Promise<void> {
    // Fetched while the worker was being closed.
    if (this.#closed) throw new JobLost();
    // Fetched while the worker was being paused; somebody else takes it at once.
    if (this.#draining) return this.#again(job, token, Date.now());
    const jobId = job.id ?? '';
    // Lost and found by the same worker, while its first run has not ended. BullMQ tracks one run for each
    // id: when the first ended it would stop to renew the lock of the second. So the second one waits.
    const first = this.#running.get(jobId);
    if (first !== undefined) {
      first.abort(new JobLost());
      return this.#again(job, token, Date.now() + REDELIVERY_DELAY_MS);
    }
    const controller = new AbortController();
    this.#running.set(jobId, controller);
    this.#order.changed();
    let verdict: JobVerdict;
    try {
      verdict = await this.#handle(job, controller.signal);
    } catch (error) {
      this.deps.onError(error);
      // Recorded in Redis as plain text, so without what the handler said.
      throw new Error('The job could not be judged.', { cause: error });
    } finally {
      this.#running.delete(jobId);
      this.#order.changed();
      if (this.#running.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
    // The handler stopped because of the signal. BullMQ must not end the job now: that could take it from its next worker.
    if (controller.signal.aborted) throw new JobLost();
    const { againAt, pausedBy } = verdict;
    if (pausedBy !== undefined) await this.#waitOut(job, token, pausedBy);
    if (againAt !== undefined) await this.#again(job, token, againAt);
  }

  async #handle(job: QueuedJob, signal: AbortSignal): Promise<JobVerdict> {
    if (job.name !== JOB_NAME) return this.#handleSideJob(job as Job<QueuedSideJob>);
    const { recovered = false, givenBack, ...taskJob } = job.data as QueuedTaskJob;
    const wasLost = job.stalledCounter > 0;
    const lost = wasLost || givenBack?.lost === true;
    const redelivered = wasLost || job.attemptsMade > 0;
    const given = givenBack === undefined ? {} : { givenBack };
    return this.deps.handler({ job: taskJob, redelivered, lost, recovered, ...given, signal });
  }

  async #handleSideJob(job: Job<QueuedSideJob>): Promise<JobVerdict> {
    const { lossesBefore = 0, lane: _lane, ...data } = job.data;
    const losses = job.stalledCounter;
    const verdict = (await this.deps.sideJobs?.[job.name]?.(data, losses - lossesBefore)) ?? {};
    if (losses > lossesBefore) await job.updateData({ ...job.data, lossesBefore: losses });
    return verdict;
  }

  /** Sets the job aside, and throws as `again` does. */
  async #waitOut(job: QueuedJob, token: string | undefined, name: PauseName): Promise<never> {
    const { prefix, pauses } = this.deps;
    const queueKey = `${prefix}:${QUEUE_NAME}`;
    const { asidePrefix, ...names } = pauses;
    const keys = { ...names, active: `${queueKey}:active`, stalled: `${queueKey}:stalled` };
    const args = { name, jobId: job.id ?? '', token: token ?? '', jobPrefix: `${queueKey}:`, asidePrefix };
    const { isSetAside, isLost } = await this.#setAside(keys, args);
    if (isLost) throw new JobLost();
    if (!isSetAside) return this.#again(job, token, Date.now());
    throw new DelayedError();
  }

  /** Delays the job, and throws the error by which BullMQ knows that it has been dealt with. */
  async #again(job: QueuedJob, token: string | undefined, againAt: number): Promise<never> {
    await job.moveToDelayed(againAt, token);
    throw new DelayedError();
  }
}
