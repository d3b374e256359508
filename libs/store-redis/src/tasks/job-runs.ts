/**
 * Runs the jobs that BullMQ delivers to one worker. A delivery ends in one of these ways:
 *
 * - the handler's verdict has no `againAt`: the job is done and removed;
 * - the verdict has one: the same job is delayed until then, which is not counted as an attempt;
 * - the verdict names a pause: the same job is set aside until the pause ends, which is not counted either;
 * - the job exceeds a limit of what may run at once: it is held back until it may run, which is not counted either;
 * - the handler rejects: BullMQ retries after a second and counts an attempt;
 * - the worker dies or is closed: another worker releases its lock, or the lock expires, and a stall is counted.
 *
 * So a job with an attempt or a stall was started before and not judged: it is `redelivered`. A job with a stall was
 * `lost` with its lock. (`attemptsStarted` does not show that: it counts `againAt` as well.)
 */
import type { JobHandler, JobVerdict, JsonObject, LaneRules, PauseName, QueuedTaskJob, SideJobHandler, TaskJob } from '@longhaul/tasks';
import { JobLost, REDELIVERY_DELAY_MS } from '@longhaul/tasks/store';
import { DelayedError, type Job } from 'bullmq';
import { JOB_NAME } from './bullmq-settings.js';
import type { RedisClock } from './redis-clock.js';
import { type Limits, limitsOf, type RunningLimits } from './running-limits.js';
import type { SetAside } from './set-aside.js';

/** A side job as the queue keeps it: its own data, its lane, and how many workers had lost it when it was last judged, 0 if absent. */
type QueuedSideJob = JsonObject & { readonly lane?: string; readonly lossesBefore?: number };

/** The data that BullMQ keeps of a job of a task, or of a side job. */
export type QueuedData = QueuedTaskJob | QueuedSideJob;

type QueuedJob = Job<QueuedData, void>;

/** A job that runs here, also when its lock is lost. */
export interface RunningJob {
  readonly token: string;
  /** When it began, by `performance.now`. */
  readonly since: number;
  lose(): void;
}

/** Dependencies of the runs. */
export interface JobRunsDeps {
  readonly handler: JobHandler;
  /** By kind; side jobs of another kind are done at once. */
  readonly sideJobs?: Readonly<Record<string, SideJobHandler>>;
  readonly rules: () => LaneRules;
  /** See `ConsumeOptions`. */
  readonly keyOf?: ((job: TaskJob) => Promise<string | undefined>) | undefined;
  readonly limits: Pick<RunningLimits, 'countIn' | 'countOut'>;
  readonly aside: Pick<SetAside, 'add'>;
  /** BullMQ compares times with the clock of the process. */
  readonly clock: Pick<RedisClock, 'byOwn'>;
  /** Called when a job begins or has ended. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** The jobs of one worker. */
export class JobRuns {
  readonly #running = new Map<string, RunningJob>();
  readonly #whenIdle: (() => void)[] = [];
  #takesJobs = true;
  #isClosed = false;

  constructor(private readonly deps: JobRunsDeps) {}

  /** By job id. */
  get running(): ReadonlyMap<string, RunningJob> {
    return this.#running;
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  /** Jobs that are delivered from now on go to another worker at once. */
  takeNoMore(): void {
    this.#takesJobs = false;
  }

  loseAll(): void {
    for (const job of this.#running.values()) job.lose();
  }

  close(): void {
    this.#isClosed = true;
    this.loseAll();
  }

  /** Runs a delivery: what BullMQ calls. */
  async run(job: QueuedJob, token: string | undefined): Promise<void> {
    // The job was fetched while the worker was being closed.
    if (this.#isClosed) throw new JobLost();
    // The job was fetched while the worker was being paused; another worker takes it at once.
    if (!this.#takesJobs) return putBack(job, token, Date.now());
    const jobId = job.id ?? '';
    // The same worker lost and found the job while its first run has not ended: the second run waits for that.
    const first = this.#running.get(jobId);
    if (first !== undefined) {
      first.lose();
      return putBack(job, token, Date.now() + REDELIVERY_DELAY_MS);
    }
    const controller = new AbortController();
    this.#running.set(jobId, { token: token ?? '', since: performance.now(), lose: () => controller.abort(new JobLost()) });
    this.deps.onChange();
    const verdict = await this.#judge(job, token ?? '', controller.signal);
    if (verdict === 'held back') throw new DelayedError();
    // The handler stopped because of the signal. BullMQ must not end the job now: that could take it from its next worker.
    if (controller.signal.aborted) throw new JobLost();
    const { againAt, pausedBy } = verdict;
    if (pausedBy !== undefined) await this.#waitOut(job, token, pausedBy);
    if (againAt !== undefined) await putBack(job, token, this.deps.clock.byOwn(againAt));
  }

  /** Handles the job if it may run now. Afterwards it no longer counts as running. */
  async #judge(job: QueuedJob, token: string, signal: AbortSignal): Promise<JobVerdict | 'held back'> {
    const jobId = job.id ?? '';
    let limits: Limits = [];
    let isHeldBack = false;
    try {
      if (job.name === JOB_NAME) limits = await this.#limitsOf(job.data as QueuedTaskJob);
      isHeldBack = !(await this.#mayRun(job, token, limits));
      return isHeldBack ? 'held back' : await this.#handle(job, signal);
    } catch (error) {
      this.deps.onError(error);
      // The error is recorded in Redis as plain text, so without the handler's message.
      throw new Error('The job could not be judged.', { cause: error });
    } finally {
      this.#running.delete(jobId);
      // Before the job ends in the queue, so while this worker has its lock.
      if (limits.length > 0 && !isHeldBack) void this.deps.limits.countOut({ jobId, token }, limits);
      this.deps.onChange();
      if (this.#running.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
  }

  /** The key is read at each delivery, so that no gateway has to know it. */
  async #limitsOf(data: QueuedTaskJob): Promise<Limits> {
    const rules = this.deps.rules();
    const hasKey = data.tool !== undefined && rules.limitByKeyOf(data.tool) !== undefined;
    return limitsOf(data, rules, hasKey ? await this.deps.keyOf?.(data) : undefined);
  }

  /** @returns false when the job is held back */
  async #mayRun(job: QueuedJob, token: string, limits: Limits): Promise<boolean> {
    if (limits.length === 0) return true;
    const { priority } = job.data as QueuedTaskJob;
    const { mayRun, isLost } = await this.deps.limits.countIn({ jobId: job.id ?? '', token, priority }, limits);
    if (isLost) throw new JobLost();
    return mayRun;
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
    const { isSetAside, isLost } = await this.deps.aside.add(job.id ?? '', token ?? '', name);
    if (isLost) throw new JobLost();
    if (!isSetAside) return putBack(job, token, Date.now());
    throw new DelayedError();
  }
}

/** Delays a job until a time, and throws the error by which BullMQ knows that the job has been dealt with. */
async function putBack(job: QueuedJob, token: string | undefined, until: number): Promise<never> {
  await job.moveToDelayed(until, token);
  throw new DelayedError();
}
