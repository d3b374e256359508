/** Defines the messages between a worker and a process that it forked for suspects. */
import type { JobVerdict, TaskJob, Trial } from '@longhaul/tasks';

/** How the forked process is started, as JSON in its first argument. */
export interface IsolatedStart {
  readonly trial: Trial;
  /** The worker that holds the jobs. */
  readonly workerId: string;
  readonly version: string;
  /** How long the main thread of the process may block. */
  readonly maxBlockMs: number;
}

/** A message from the worker. */
export type ToIsolated =
  | { readonly type: 'run'; readonly id: number; readonly job: TaskJob }
  /** The worker has lost the job. */
  | { readonly type: 'abort'; readonly id: number }
  /** Until when the worker is sure of its jobs, on the machine's monotonic clock. */
  | { readonly type: 'lease'; readonly untilMs: number }
  /** The worker has been asked to stop. */
  | { readonly type: 'release' };

/** A message from the forked process. */
export type FromIsolated =
  | { readonly type: 'ready' }
  /** The task has recorded something that counts in its favour. */
  | { readonly type: 'recorded'; readonly id: number }
  | { readonly type: 'judged'; readonly id: number; readonly verdict: JobVerdict }
  /** The delivery could not be judged. */
  | { readonly type: 'failed'; readonly id: number; readonly message: string };
