/**
 * Takes jobs from a data file. It looks when it is woken, when a delayed job is due, and every `stalledIntervalMs`. A job that it takes
 * belongs to it until the lock expires, which it renews; then any consumer frees the job, and it is delivered as lost.
 */
import { JobLost, type LockTimes, REDELIVERY_DELAY_MS, startsOf } from '@longhaul/tasks/store';
import type { ConsumeOptions, JobHandler, JobVerdict, JsonObject, QueuedTaskJob, TaskConsumer } from '@longhaul/tasks';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { type HeldJob, JOBS_CHANNEL, type JobTable, type KeyOfJob } from './job-table.js';
import type { TaskFile } from './task-file.js';
import { PASS } from './task-queue.js';

/** How often locks are renewed within their time, so that five sixths of it are left when the file becomes unusable. */
const RENEWALS = 6;
/** The time after which writing a job's result is tried again while the file cannot be used. */
const RETRY_MS = 1_000;

/** Dependencies of a consumer. */
export interface SqliteTaskConsumerDeps extends ConsumeOptions, TaskFile {
  readonly jobs: JobTable;
  readonly handler: JobHandler;
  readonly lockTimes: LockTimes;
  readonly onError: (error: unknown) => void;
}

/** A delivery that runs here, also when its lock is lost, until its result is written. */
interface Run {
  readonly job: HeldJob;
  readonly controller: AbortController;
  isHandled: boolean;
}

/** `TaskConsumer` on a data file. */
export class SqliteTaskConsumer implements TaskConsumer {
  readonly lockToken = randomUUID();
  /** By the number of the job. */
  readonly #running = new Map<number, Run>();
  readonly #whenIdle: (() => void)[] = [];
  #isOpen = false;
  #isClosed = false;
  #looking: Promise<void> | undefined;
  #lookedAt = Number.POSITIVE_INFINITY;
  #freesFrom = Number.NEGATIVE_INFINITY;
  #wasWoken = false;
  #nextLook: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #stopListening: () => void = () => undefined;

  constructor(private readonly deps: SqliteTaskConsumerDeps) {}

  /** Resolves when it takes jobs. */
  async start(): Promise<void> {
    const { beforeFirstJob, channels, lockTimes } = this.deps;
    await beforeFirstJob?.(this);
    this.#isOpen = true;
    this.#stopListening = channels.add(JOBS_CHANNEL, () => this.#wake());
    this.#renewal = setInterval(() => void this.#renew(), lockTimes.lockDurationMs / RENEWALS);
    this.#wake();
  }

  get active(): number {
    return [...this.#running.values()].filter(({ isHandled }) => !isHandled).length;
  }

  async drain(): Promise<void> {
    this.#stopTaking();
    // Jobs that it is taking right now are put back.
    await this.#looking;
    if (this.#running.size > 0) await new Promise<void>((resolve) => void this.#whenIdle.push(resolve));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTaking();
    clearInterval(this.#renewal);
    this.loseAll();
  }

  loseAll(): void {
    for (const { controller } of this.#running.values()) controller.abort(new JobLost());
  }

  async recover(lockToken: string, isDead: () => Promise<boolean>): Promise<number | undefined> {
    const { jobs } = this.deps;
    const held = await jobs.heldBy(lockToken);
    if (!(await isDead())) return undefined;
    return held.length === 0 ? 0 : jobs.release(lockToken, held);
  }

  #stopTaking(): void {
    this.#isOpen = false;
    this.#stopListening();
    clearTimeout(this.#nextLook);
  }

  /** Never within the call that woke it. */
  #wake(): void {
    this.#wasWoken = true;
    this.#looking ??= nextTurn().then(() => this.#look());
  }

  async #look(): Promise<void> {
    const { lockTimes, onError } = this.deps;
    let nextInMs = lockTimes.stalledIntervalMs;
    try {
      while (this.#wasWoken && this.#isOpen) {
        this.#wasWoken = false;
        await this.#fill();
      }
      if (this.#isOpen) nextInMs = Math.min(nextInMs, await this.#dueInMs());
    } catch (error) {
      if (!this.#isClosed) onError(error);
    }
    this.#looking = undefined;
    if (!this.#isOpen) return;
    if (this.#wasWoken) this.#wake();
    clearTimeout(this.#nextLook);
    this.#nextLook = setTimeout(() => this.#wake(), nextInMs);
  }

  /** Takes jobs while there is room. */
  async #fill(): Promise<void> {
    const { jobs, lockTimes, rules } = this.deps;
    if (this.#mayFree()) await jobs.releaseExpired();
    const room = this.#room();
    if (room <= 0) return;
    const taken = await jobs.take(this.lockToken, room, lockTimes.lockDurationMs, rules?.());
    for (const job of taken) {
      if (this.#isOpen && !this.#running.has(job.seq)) void this.#run(job);
      else await this.#putBack(job);
    }
    // More jobs may have become due.
    if (taken.length > 0) this.#wasWoken = true;
  }

  /**
   * Whether a lock that has expired says that its worker is gone. If this process stood still, the others may have too, as when the machine
   * slept: then they get time to renew.
   */
  #mayFree(): boolean {
    const { clock, lockTimes } = this.deps;
    const now = clock();
    if (now - this.#lookedAt > lockTimes.lockDurationMs / 2) this.#freesFrom = now + lockTimes.lockDurationMs / 2;
    this.#lookedAt = now;
    return now >= this.#freesFrom;
  }

  /** When the next job will be ready; it is not looked up without a free slot. */
  async #dueInMs(): Promise<number> {
    const { clock, jobs } = this.deps;
    const dueAt = this.#room() > 0 ? await jobs.nextDueAt() : undefined;
    return dueAt === undefined ? Number.POSITIVE_INFINITY : Math.max(1, dueAt - clock());
  }

  #room(): number {
    return this.deps.concurrency - this.#running.size;
  }

  /**
   * The job was taken while the consumer was being drained; or it was lost and found here while its first run has not ended, and waits for
   * that.
   */
  async #putBack(job: HeldJob): Promise<void> {
    const { clock, jobs } = this.deps;
    const earlier = this.#running.get(job.seq);
    earlier?.controller.abort(new JobLost());
    const againAt = clock() + (earlier === undefined ? 0 : REDELIVERY_DELAY_MS);
    await this.#write(() => jobs.delay(this.lockToken, job, againAt));
  }

  async #run(job: HeldJob): Promise<void> {
    const run = { job, controller: new AbortController(), isHandled: false };
    this.#running.set(job.seq, run);
    const write = await this.#judged(run);
    // Another worker has the job, or will have it, when this worker has lost it.
    await this.#write(write, () => run.controller.signal.aborted);
    this.#running.delete(job.seq);
    if (this.#running.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    if (this.#isOpen) this.#wake();
  }

  /** Handles the delivery. @returns the result to write */
  async #judged(run: Run): Promise<() => Promise<void>> {
    const { clock, jobs, onError } = this.deps;
    const { job, controller } = run;
    try {
      const key = await this.#unreadKeyOf(job);
      if (key !== undefined) return () => jobs.noteKey(this.lockToken, job, key);
      const { againAt, pausedBy } = await this.#handle(job, controller.signal);
      if (pausedBy !== undefined) return () => jobs.setAside(this.lockToken, job, pausedBy);
      return () => (againAt === undefined ? jobs.end(this.lockToken, job) : jobs.delay(this.lockToken, job, againAt, 'judged'));
    } catch (error) {
      onError(error);
      const againAt = clock() + REDELIVERY_DELAY_MS;
      return () => jobs.delay(this.lockToken, job, againAt, 'rejected');
    } finally {
      run.isHandled = true;
    }
  }

  /** The key of a job, if its tool has a limit by key, and it is not known of the job. */
  async #unreadKeyOf({ kind, data, hasKey }: HeldJob): Promise<KeyOfJob | undefined> {
    const { rules, keyOf } = this.deps;
    if (kind !== PASS || hasKey || rules === undefined || keyOf === undefined) return undefined;
    const job = JSON.parse(data) as QueuedTaskJob;
    const { tool, pass } = job;
    const limit = tool === undefined ? undefined : rules().limitByKeyOf(tool);
    const key = limit && (await keyOf(job));
    if (limit === undefined || key === undefined) return undefined;
    const { maxRunning: most, perSecond } = limit;
    return {
      name: `${tool}:${key}`,
      isFirst: pass === 1,
      most,
      mostStarts: perSecond === undefined ? undefined : startsOf(perSecond).most,
    };
  }

  async #handle({ kind, data, isRedelivered, isLost, losses }: HeldJob, signal: AbortSignal): Promise<JobVerdict> {
    const { handler, sideJobs } = this.deps;
    if (kind !== PASS) return sideJobs?.[kind]?.(JSON.parse(data) as JsonObject, losses) ?? {};
    const { recovered = false, givenBack, ...job } = JSON.parse(data) as QueuedTaskJob;
    const lost = isLost || givenBack?.lost === true;
    return handler({ job, redelivered: isRedelivered, lost, recovered, ...(givenBack !== undefined && { givenBack }), signal });
  }

  /** Writes the result of a job until that succeeds, or the job no longer belongs to this consumer. */
  async #write(write: () => Promise<void>, isLost: () => boolean = () => false): Promise<void> {
    while (!this.#isClosed && !isLost()) {
      try {
        await write();
        return;
      } catch (error) {
        this.deps.onError(error);
        await wait(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  async #renew(): Promise<void> {
    const { jobs, lockTimes, onError } = this.deps;
    if (this.#running.size === 0) return;
    const runs = [...this.#running.values()];
    try {
      const held = new Map((await jobs.renew(this.lockToken, lockTimes.lockDurationMs)).map(({ seq, delivery }) => [seq, delivery]));
      for (const { job, controller } of runs) if (held.get(job.seq) !== job.delivery) controller.abort(new JobLost());
    } catch (error) {
      onError(error);
    }
  }
}
