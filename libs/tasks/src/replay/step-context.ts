/** How often something is tried again, and how long it waits before. Times are milliseconds. */
export interface RetryPolicy {
  /** Tries in all; 1 means no retry. Default 1. */
  readonly attempts?: number;
  /** Wait before the second try. Default 1,000. */
  readonly initialMs?: number;
  /** Growth of the wait from try to try. Default 2. */
  readonly factor?: number;
  /** Longest wait. Default 60,000. */
  readonly maxMs?: number;
  /** Part of each wait that is random, 0 to 1. Default 0.2. */
  readonly jitter?: number;
}

/** How long a step may take, and how often it is tried again. */
export interface StepOptions extends RetryPolicy {
  /** A try that has not ended this long after its start is aborted and counts as failed, milliseconds. Default: an hour, or as the worker is set. */
  readonly timeoutMs?: number;
}

/** The argument of a step's function. */
export interface StepContext {
  /**
   * Aborts when the time of this try has expired, the task is cancelled, or this worker has lost it. The reason is a TaskError if no worker
   * continues with it: `STEP_TIMEOUT`, or `TASK_ENDED` when the task was cancelled or its time has expired. Otherwise another worker runs
   * the step again, so what it has begun elsewhere may be needed.
   */
  readonly signal: AbortSignal;
  /** 1 for the first try. */
  readonly attempt: number;
  /**
   * The same for every try of this step, on every machine, also when an operator retries the task with the same arguments: give it to
   * the systems that the step calls.
   */
  readonly idempotencyKey: string;
}
