/**
 * Takes jobs of one queue from BullMQ. What becomes of a delivery:
 *
 * - the handler's verdict has no `againAt`: the job is done and removed;
 * - it has one: the same job is delayed until then, which is not counted as an attempt;
 * - it is over a limit of what may run at once: it is held back until it may run, which is not counted either;
 * - its limits are counted in the first queue: it goes on as a job of that one;
 * - it names a pause: the same job is set aside until that is over, which is not counted either;
 * - the handler rejects: BullMQ retries after a second and counts an attempt;
 * - the worker dies or is closed: another worker releases its lock, or the lock expires, and a stall is counted.
 *
 * So a job with an attempt or a stall was started before and not judged: it is `redelivered`; one with a stall was
 * `lost` with its lock. (`attemptsStarted` would not show it: it counts `againAt` as well.)
 */
import {
  type JobHandler,
  type JobVerdict,
  type LaneRules,
  NO_RULES,
  type PauseName,
  type QueuedTaskJob,
  type SideJobHandler,
} from '@longhaul/tasks';
import { JobLost, type LockTimes, REDELIVERY_DELAY_MS } from '@longhaul/tasks/store';
import { DelayedError, type Job } from 'bullmq';
import type { RedisClient } from '@longhaul/redis';
import { JOB_NAME, QUEUE_NAME, WORKER_OPTIONS } from './bullmq-settings.js';
import { FairOrder } from './fair-order.js';
import { JobLocks } from './job-locks.js';
import type { RedisKeys } from './keys.js';
import { type QueuedJob, type QueuedSideJob, QueueWorker } from './queue-worker.js';
import { type Limits, limitsOf, RunningLimits } from './running-limits.js';
import { FIRST_QUEUE } from './queue-numbers.js';
import { SetAside } from './set-aside.js';
import type { QueueSlots, SharedSlots } from './shared-slots.js';

/** A lock is renewed when this share of its time is over at most twice, so that five sixths are left when Redis goes away. */
const RENEW_SHARE = 1 / 6;

/** What every queue of a worker is served with. */
export interface QueueConsumerDeps {
  /** Connected already, and its owner's. */
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly slots: SharedSlots;
  readonly nextToken: () => string;
  /** Adds a job to the first queue, unless it has it. */
  readonly forward: (job: QueuedTaskJob, jobId: string) => Promise<void>;
  readonly handler: JobHandler;
  /** By kind; side jobs of another kind are done at once. */
  readonly sideJobs?: Readonly<Record<string, SideJobHandler>>;
  readonly lockTimes: LockTimes;
  readonly rules?: (() => LaneRules) | undefined;
  /** A job has ended. */
  readonly onEnd: () => void;
  readonly onError: (error: unknown) => void;
}

/** One queue's part of a consumer. */
export class QueueConsumer {
  readonly locks: JobLocks;
  readonly #worker: QueueWorker;
  /** The handlers that run here by job id, also when their lock is lost. */
  readonly #running = new Map<string, AbortController>();
  readonly #order: FairOrder;
  readonly #aside: SetAside;
  readonly #limits: RunningLimits;
  readonly #rules: () => LaneRules;
  readonly #slots: QueueSlots;
  #draining = false;
  #closed = false;

  constructor(
    private readonly queue: number,
    private readonly deps: QueueConsumerDeps,
  ) {
    const { redis, keys, slots, lockTimes, nextToken, onError } = deps;
    const prefix = keys.queuePrefix(queue);
    const queueKey = `${prefix}:${QUEUE_NAME}`;
    this.locks = new JobLocks(redis, queueKey);
    this.#aside = new SetAside(redis, keys, queue);
    this.#slots = slots.join();
    this.#rules = () => deps.rules?.() ?? NO_RULES;
    this.#limits = new RunningLimits({ redis, keys, queue, rules: this.#rules, onError });
    this.#worker = new QueueWorker({
      // Without the third parameter BullMQ makes no signal of its own. Ours does more: BullMQ's goes with its
      // record of the job's id, which a second delivery to this worker replaces.
      process: (job, token) => this.#process(job, token),
      options: {
        ...WORKER_OPTIONS,
        connection: redis,
        prefix,
        lockDuration: lockTimes.lockDurationMs,
        lockRenewTime: lockTimes.lockDurationMs * RENEW_SHARE,
        stalledInterval: lockTimes.stalledIntervalMs,
      },
      slots: this.#slots,
      nextToken,
      putMarkerBack: () => redis.zadd(`${queueKey}:marker`, 0, '0'),
      onError,
    });
    this.#order = new FairOrder({
      redis,
      queueKey,
      keys: keys.fairOrder(queue),
      room: () => Math.max(this.active + slots.free, slots.share),
      isBusy: () => slots.free === 0,
      rules: this.#rules,
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

  /** Resolves when the worker is connected. */
  async connect(): Promise<void> {
    await this.#worker.waitUntilReady();
  }

  /** Begins to take jobs. */
  start(): void {
    this.#order.start();
    this.#limits.start();
    // Resolves when the worker is closed.
    void this.#worker.run().catch(this.deps.onError);
  }

  /** How many of its jobs run now. */
  get active(): number {
    return this.#running.size;
  }

  readonly isRunning = (jobId: string): boolean => this.#running.has(jobId);

  /** No job is taken from now on. Resolves when that is certain, which it never is without Redis. */
  async pause(): Promise<void> {
    this.#draining = true;
    this.#order.stop();
    this.#limits.stop();
    // Not close(): a second close(true) would only wait for the first one, so nothing could end it early.
    await this.#worker.pause();
  }

  loseAll(): void {
    for (const controller of this.#running.values()) controller.abort(new JobLost());
  }

  /** Has jobs delivered anew whose locks were released; otherwise the next check would be up to an interval away. */
  async deliverReleased(): Promise<void> {
    await this.#worker.startStalledCheckTimer();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#slots.leave();
    this.#order.stop();
    this.#limits.stop();
    this.loseAll();
    await this.#worker.close(true);
  }

  async #process(job: QueuedJob, token: string | undefined): Promise<void> {
    // Fetched while the worker was being closed.
    if (this.#closed) throw new JobLost();
    // Fetched while the worker was being paused; somebody else takes it at once.
    if (this.#draining) return this.#worker.putBack(job, token, Date.now());
    const jobId = job.id ?? '';
    // Lost and found by the same worker, while its first run has not ended. BullMQ tracks one run for each
    // id: when the first ended it would stop to renew the lock of the second. So the second one waits.
    const first = this.#running.get(jobId);
    if (first !== undefined) {
      first.abort(new JobLost());
      return this.#worker.putBack(job, token, Date.now() + REDELIVERY_DELAY_MS);
    }
    const controller = new AbortController();
    this.#running.set(jobId, controller);
    this.#order.changed();
    const limits = job.name === JOB_NAME ? limitsOf(job.data, this.#rules()) : [];
    let verdict: JobVerdict | 'held back' | undefined;
    try {
      verdict = (await this.#mayRun(job, token, limits)) ?? (await this.#handle(job, controller.signal));
    } catch (error) {
      this.deps.onError(error);
      // Recorded in Redis as plain text, so without what the handler said.
      throw new Error('The job could not be judged.', { cause: error });
    } finally {
      this.#running.delete(jobId);
      // Before the job ends in the queue, so while this worker has its lock.
      if (limits.length > 0 && verdict !== 'held back') void this.#limits.countOut({ jobId, token: token ?? '' }, limits);
      this.#order.changed();
      this.deps.onEnd();
    }
    if (verdict === 'held back') throw new DelayedError();
    // The handler stopped because of the signal. BullMQ must not end the job now: that could take it from its next worker.
    if (controller.signal.aborted) throw new JobLost();
    const { againAt, pausedBy } = verdict;
    if (pausedBy !== undefined) await this.#waitOut(job, token, pausedBy);
    if (againAt !== undefined) await this.#worker.putBack(job, token, againAt);
  }

  /** @returns nothing when the job may run here; otherwise what becomes of it */
  async #mayRun(job: QueuedJob, token: string | undefined, limits: Limits): Promise<JobVerdict | 'held back' | undefined> {
    if (limits.length === 0) return undefined;
    const [jobId, data] = [job.id ?? '', job.data as QueuedTaskJob];
    if (this.queue !== FIRST_QUEUE && this.#rules().limitsTools) {
      const mayHaveRun = job.stalledCounter > 0 || job.attemptsMade > 0;
      await this.deps.forward({ ...data, ...(mayHaveRun && { recovered: true }) }, jobId);
      return {};
    }
    const { mayRun, isLost } = await this.#limits.countIn({ jobId, token: token ?? '', priority: data.priority }, limits);
    if (isLost) throw new JobLost();
    return mayRun ? undefined : 'held back';
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

  /** Sets the job aside, and throws as `putBack` does. */
  async #waitOut(job: QueuedJob, token: string | undefined, name: PauseName): Promise<never> {
    this.#worker.letGo(job);
    const { isSetAside, isLost } = await this.#aside.add(job.id ?? '', token ?? '', name);
    if (isLost) throw new JobLost();
    if (!isSetAside) return this.#worker.putBack(job, token, Date.now());
    throw new DelayedError();
  }
}
