import type { Trial } from '../domain/events.js';
import type { JsonObject } from '../domain/json.js';
import type { Milliseconds } from '../domain/milliseconds.js';
import type { TaskId } from '../domain/task-id.js';
import type { LaneRules } from './lane-rules.js';
import type { GivenBack } from './parked-tasks.js';
import type { PauseName } from './queue-pauses.js';

/** One job: run pass `pass` of the task. It carries nothing else, so nothing of the user lies in the queue. */
export interface TaskJob {
  readonly taskId: TaskId;
  readonly pass: number;
  /**
   * While jobs of several lanes wait, the lanes take turns, no matter how many jobs each has. @defaultValue the shared lane of jobs without
   * one
   */
  readonly lane?: string;
  /** The tool. The rules of the lanes limit how many jobs of a tool run at once. */
  readonly tool?: string;
  /** Whether it comes before or after other jobs of its lane: see `PRIORITY_STEP_MS`. @defaultValue 0 */
  readonly priority?: number;
}

/** A job that is looked for. */
export interface SoughtJob extends TaskJob {
  /** Whether it may have been added with a delay. Otherwise a delayed job of the pass is not the one that is looked for. */
  readonly mayBeDelayed: boolean;
}

/** A job as a queue keeps it. */
export interface QueuedTaskJob extends TaskJob {
  /** It took the place of a lost job. */
  readonly recovered?: true;
  /** Why workers gave the task back before. */
  readonly givenBack?: GivenBack;
}

/** A job that belongs to no task: the queue delivers it, and knows no more about it. */
export interface SideJob {
  /** Selects its handler. Persisted, like the id. */
  readonly kind: string;
  /** A job is not added if its id is there already. */
  readonly id: string;
  /** As in a `TaskJob`. */
  readonly lane?: string;
  /** Does not have members `lane` and `lossesBefore`, which belong to the queue. */
  readonly data: JsonObject;
}

/** Where jobs are put. Adding the same job twice while it waits or runs adds it once. */
export interface TaskQueue {
  /** @param dueAt epoch milliseconds before which the job must not start; 0 for at once. */
  add(job: TaskJob, dueAt: Milliseconds): Promise<void>;
  /** Removes the job of a pass that was added with a delay, if that is not over: what its task waited for came before, or the task has ended. */
  withdraw(job: TaskJob): Promise<void>;
  /** Whether the queue has each of the jobs: waiting, delayed or running. */
  has(jobs: readonly SoughtJob[]): Promise<readonly boolean[]>;
  /** Adds a job, to start at once, for a pass that is recorded as running but has lost its job. */
  recover(job: TaskJob): Promise<void>;
  /**
   * Adds a job for a task that was given back. It is a separate job, because the job of the worker that gave the task back may not have
   * ended yet.
   */
  addGivenBack(job: TaskJob, givenBack: GivenBack): Promise<void>;
  /** Lets the job be handled at once. */
  addSideJob(job: SideJob): Promise<void>;
  close(): Promise<void>;
}

/** One delivery of a job to a worker. */
export interface JobDelivery {
  readonly job: TaskJob;
  /** True when an earlier delivery of the job was not judged. */
  readonly redelivered: boolean;
  /** Why workers gave the task back before. */
  readonly givenBack?: GivenBack;
  /** True when an earlier delivery was lost: its process died, or had no lock for too long. Default: false. */
  readonly lost?: boolean;
  /** Present when this process was made for the pass of a suspect. */
  readonly trial?: Trial;
  /** True when the job took the place of a lost one: its pass may be recorded as running, and that does not count against it. */
  readonly recovered?: boolean;
  /** Aborts when this worker has lost the job, so that another one may run it. */
  readonly signal: AbortSignal;
}

/** The reason of an aborted delivery: this worker no longer holds its job. */
export class JobLost extends Error {
  override readonly name = 'JobLost';
  override readonly message = 'This worker has lost the job.';
}

/**
 * The verdict on a delivered job: it is done, or it is delivered again at `againAt` (epoch ms), or when the pause ends that kept it from
 * beginning.
 */
export type JobVerdict = { readonly againAt?: Milliseconds; readonly pausedBy?: PauseName };

/** Takes jobs and runs at most `concurrency` of them at once. */
export interface TaskConsumer {
  /** Takes no new jobs; resolves when the running ones are done. */
  drain(): Promise<void>;
  /** Ends at once; jobs that still run are delivered again elsewhere when their lock expires. */
  close(): Promise<void>;
  /** The locks of this consumer's jobs begin with it. */
  readonly lockToken: string;
  /** Aborts all deliveries, because others have been given their jobs. */
  loseAll(): void;
  /**
   * Makes the queue deliver the jobs of a dead consumer, known by its lock token, to others.
   *
   * @param isDead called when these jobs are known: jobs that the consumer takes from then on stay its own
   * @returns how many jobs there were; nothing when it is not dead
   */
  recover(lockToken: string, isDead: () => Promise<boolean>): Promise<number | undefined>;
  /** Number of jobs that run now. */
  readonly active: number;
}

/** A job is delivered again this long after its handler rejected, without limit: the domain counts lost passes. */
export const REDELIVERY_DELAY_MS = 1000;

/** Handles one delivery; it rejects only when the job could not be judged, and is then delivered again. */
export type JobHandler = (delivery: JobDelivery) => Promise<JobVerdict>;

/**
 * Handles one delivery of a side job; when it rejects, it is delivered again.
 *
 * @param losses how many workers have lost the job since it was last judged
 */
export type SideJobHandler = (data: JsonObject, losses: number) => Promise<JobVerdict>;

/** How jobs are taken. */
export interface ConsumeOptions {
  /** Jobs that run at once. */
  readonly concurrency: number;
  /** The rules of lanes; the same object as long as nothing changes. @defaultValue equal shares, without limits */
  readonly rules?: (() => LaneRules) | undefined;
  /**
   * The key by which the limit of its tool counts a job, as a short text that may be stored; nothing for a job that no key is known of. Only
   * for tools with such a limit.
   *
   * @defaultValue no job has a key
   */
  readonly keyOf?: ((job: TaskJob) => Promise<string | undefined>) | undefined;
  /** Called before the first job is taken, with the consumer that will take it. */
  readonly beforeFirstJob?: (consumer: TaskConsumer) => Promise<void>;
  /** By kind; side jobs of another kind are done at once. */
  readonly sideJobs?: Readonly<Record<string, SideJobHandler>>;
}

/** How soon a job goes to another worker when its lock is not renewed; a dead worker is mostly noticed earlier. */
export interface LockTimes {
  /** A worker that does not renew its lock for this long has lost the job. */
  readonly lockDurationMs: number;
  /** How often workers look for lost jobs. */
  readonly stalledIntervalMs: number;
}

/**
 * The lock outlives an outage of the store of 20 s, in which no worker can renew it. With BullMQ one of all workers looks for lost jobs in
 * each interval, and when that one dies two intervals pass.
 */
export const DEFAULT_LOCK_TIMES: LockTimes = { lockDurationMs: 30_000, stalledIntervalMs: 500 };
