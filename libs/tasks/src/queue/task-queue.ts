import type { TaskId } from '../domain/task-id.js';

/** One job: run pass `pass` of the task. It carries nothing else, so nothing of the user lies in the queue. */
export interface TaskJob {
  readonly taskId: TaskId;
  readonly pass: number;
}

/** Where jobs are put. Adding the same job twice while it waits or runs adds it once. */
export interface TaskQueue {
  /** @param dueAt epoch milliseconds before which the job must not start; 0 for at once. */
  add(job: TaskJob, dueAt: number): Promise<void>;
  close(): Promise<void>;
}

/** One delivery of a job to a worker. */
export interface JobDelivery {
  readonly job: TaskJob;
  /** True when an earlier delivery of the job was lost with its worker. */
  readonly redelivered: boolean;
  /** Aborts when this worker has lost the job, so that another one may run it. */
  readonly signal: AbortSignal;
}

/** What becomes of a delivered job: it is done, or it is delivered again at `againAt` (epoch ms). */
export type JobVerdict = { readonly againAt?: number };

/** Takes jobs and runs at most `concurrency` of them at once. */
export interface TaskConsumer {
  /** Takes no new jobs; resolves when the running ones are done. */
  drain(): Promise<void>;
  /** Ends at once; jobs that still run are delivered again elsewhere when their lock expires. */
  close(): Promise<void>;
  /** Number of jobs that run now. */
  readonly active: number;
}

/** Handles one delivery; it rejects only when the job could not be judged, and is then delivered again. */
export type JobHandler = (delivery: JobDelivery) => Promise<JobVerdict>;
