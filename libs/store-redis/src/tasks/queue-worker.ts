/**
 * BullMQ's worker of one queue, with slots that it shares with others. Of BullMQ's it uses all but the main loop, which counts for
 * itself: how a job is fetched, locked, ended and fetched with the end of the one before. In place of the main loop:
 *
 * - while the queue has jobs, it asks for the next one with a slot in hand;
 * - when it has none, it waits for BullMQ's marker, without a slot, and takes one when the marker comes. If none is free then, it puts
 *   the marker back, so that another worker hears of the job.
 */
import type { JsonObject, QueuedTaskJob } from '@longhaul/tasks';
import { setTimeout as wait } from 'node:timers/promises';
import { isAway } from '@longhaul/redis';
import { DelayedError, type Job, type Processor, Worker, type WorkerOptions } from 'bullmq';
import { QUEUE_NAME } from './bullmq-settings.js';
import type { QueueSlots } from './shared-slots.js';

/** A side job as the queue keeps it: its own data, its lane, and how many workers had lost it when it was last judged, 0 if absent. */
export type QueuedSideJob = JsonObject & { readonly lane?: string; readonly lossesBefore?: number };

type Data = QueuedTaskJob | QueuedSideJob;

/** A job of a task or a side job, as BullMQ has it. */
export type QueuedJob = Job<Data, void>;

/** The pause after a queue could not be asked. */
const RETRY_MS = 1_000;

/** What a queue is served with. */
export interface QueueWorkerDeps {
  readonly process: Processor<Data, void>;
  readonly options: WorkerOptions;
  readonly slots: QueueSlots;
  /** For the lock of the next job. */
  readonly nextToken: () => string;
  /** Wakes a worker that waits for the queue. */
  readonly putMarkerBack: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** Takes jobs of one queue while there are slots. */
export class QueueWorker extends Worker<Data, void> {
  readonly #deps: QueueWorkerDeps;
  /** Those that have a slot. */
  readonly #jobs = new Set<Promise<void>>();
  /** By job id, the token of the run that began last. */
  readonly #tokens = new Map<string, string>();
  /** What a job is waited for with, without a slot. */
  #waitsWith: string | undefined;

  constructor(deps: QueueWorkerDeps) {
    super(QUEUE_NAME, deps.process, { ...deps.options, autorun: false });
    this.#deps = deps;
  }

  /** Resolves when the worker is paused or closed, and its jobs have ended. */
  override async run(): Promise<void> {
    if (!this.#goesOn) return;
    this.running = true;
    try {
      await this.startStalledCheckTimer();
      this.lockManager.start();
      this.mainLoopRunning = this.#takeJobs();
      await this.mainLoopRunning;
    } finally {
      this.running = false;
    }
  }

  get #goesOn(): boolean {
    return this.closing === undefined && !this.paused && !this.#deps.slots.isClosed;
  }

  async #takeJobs(): Promise<void> {
    const { slots } = this.#deps;
    while (this.#goesOn) {
      const waits = slots.isEmpty && slots.isFree;
      if (!waits && !(await slots.take())) continue;
      const token = this.#deps.nextToken();
      const job = await this.#fetch(token, waits);
      if (job !== undefined) this.#begin(job, token);
      else if (!waits) slots.giveBack();
      else if (!slots.isFree) await this.#putMarkerBack();
    }
    await Promise.all(this.#jobs);
  }

  async #fetch(token: string, waits: boolean): Promise<QueuedJob | undefined> {
    try {
      if (waits) this.#waitsWith = token;
      return await this.getNextJob(token, { block: waits });
    } catch (error) {
      await this.#failed(error);
      return undefined;
    } finally {
      this.#waitsWith = undefined;
    }
  }

  async #putMarkerBack(): Promise<void> {
    if (this.closing !== undefined) return;
    try {
      await this.#deps.putMarkerBack();
    } catch (error) {
      await this.#failed(error);
    }
  }

  async #failed(error: unknown): Promise<void> {
    if (!this.#goesOn) return;
    if (!isAway(error)) this.#deps.onError(error);
    await wait(RETRY_MS, undefined, { ref: false });
  }

  /** @param token of the lock of the job, and of those that are fetched with the end of one before */
  #begin(job: QueuedJob, token: string): void {
    const { slots, onError } = this.#deps;
    const run = this.#runAll(job, token)
      .catch(onError)
      .finally(() => {
        this.#jobs.delete(run);
        slots.giveBack();
      });
    this.#jobs.add(run);
  }

  async #runAll(first: QueuedJob, token: string): Promise<void> {
    let job: QueuedJob | void = first;
    while (job) job = await this.#runOne(job, token);
  }

  /** A run that ends makes BullMQ forget the lock of its job, also of a run that has begun since: that one is tracked again. */
  async #runOne(job: QueuedJob, token: string): Promise<QueuedJob | void> {
    const id = job.id ?? '';
    this.#tokens.set(id, token);
    try {
      return await this.processJob(job, token, () => this.#deps.slots.mayGoOn());
    } finally {
      const last = this.#tokens.get(id);
      if (last === token) this.#tokens.delete(id);
      else if (last !== undefined) this.lockManager.trackJob(id, last, Date.now());
    }
  }

  /** Delays a job that it runs until a time, and throws the error by which BullMQ knows that it has been dealt with. */
  async putBack(job: QueuedJob, token: string | undefined, until: number): Promise<never> {
    this.letGo(job);
    await job.moveToDelayed(until, token);
    throw new DelayedError();
  }

  /** Renews the lock of a job no more. For the moment before it is put away: what finds no lock then takes the job for lost. */
  letGo(job: QueuedJob): void {
    this.lockManager.untrackJob(job.id ?? '');
  }

  /** BullMQ asks for a job here, wherever it does: after its marker has come too, when there is no slot yet. */
  protected override async moveToActive(token: string, name?: string): Promise<QueuedJob> {
    if (token !== this.#waitsWith) return super.moveToActive(token, name);
    const { slots } = this.#deps;
    if (!this.#goesOn || !slots.tryTake()) {
      slots.found(true);
      return NONE;
    }
    let job: QueuedJob | undefined;
    try {
      job = await super.moveToActive(token, name);
      return job;
    } finally {
      if (job === undefined) slots.giveBack();
    }
  }

  protected override nextJobFromJobData(...answer: Parameters<Worker<Data, void>['nextJobFromJobData']>): Promise<QueuedJob> {
    this.#deps.slots.found(Boolean(answer[0]));
    return super.nextJobFromJobData(...answer);
  }
}

/** BullMQ's types leave out that there may be no job. */
const NONE = undefined as unknown as QueuedJob;
