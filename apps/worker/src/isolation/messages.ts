/** What a worker and a process that it forked for suspects say to each other. */
import type { JobVerdict, TaskJob, Trial } from '@longhaul/tasks';

/** How the forked process is started, as JSON in its first argument. */
export interface IsolatedStart {
  readonly trial: Trial;
  /** Of the worker that holds the jobs. */
  readonly workerId: string;
  readonly version: string;
  /** How long its main thread may stand still. */
  readonly maxBlockMs: number;
}

/** From the worker. */
export type ToIsolated =
  | { readonly type: 'run'; readonly id: number; readonly job: TaskJob }
  /** The worker has lost the job. */
  | { readonly type: 'abort'; readonly id: number }
  /** Until when the worker is sure of its jobs, on the machine's monotonic clock. */
  | { readonly type: 'lease'; readonly untilMs: number }
  /** The worker has been asked to stop. */
  | { readonly type: 'release' };

/** From the forked process. */
export type FromIsolated =
  | { readonly type: 'ready' }
  | { readonly type: 'judged'; readonly id: number; readonly verdict: JobVerdict }
  /** The delivery could not be judged. */
  | { readonly type: 'failed'; readonly id: number; readonly message: string };
