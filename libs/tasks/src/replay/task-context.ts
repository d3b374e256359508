/**
 * What the author of a durable tool gets. Every operation here is recorded: when the task goes on in
 * a later pass, perhaps on another machine, the author's function runs again from its start, recorded
 * operations return what they returned before, and the first unrecorded one really runs.
 *
 * The function must therefore be deterministic between its operations: time, randomness and I/O belong
 * into `now`, `randomUUID` and `step`.
 */
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { ClientInfo } from '../domain/events.js';
import type { TaskId } from '../domain/task-id.js';

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

/** What a step's function gets. */
export interface StepContext {
  /** Aborts when the task is cancelled or this worker has lost it. */
  readonly signal: AbortSignal;
  /** 1 for the first try. */
  readonly attempt: number;
  /** The same for every try of this step, on every machine: give it to the systems that the step calls. */
  readonly idempotencyKey: string;
}

/** A report of progress; `progress` must not decrease. */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The durable operations of a task. */
export interface TaskContext {
  readonly taskId: TaskId;
  /** 1 for the first run of the workflow, raised each time that it failed and is tried again. */
  readonly attempt: number;
  /** Aborts when the task is cancelled or this worker has lost it. */
  readonly signal: AbortSignal;
  /** The client as it was when it created the task. */
  readonly client: ClientInfo;

  /**
   * Runs `run` once and records its value, which must be JSON; the caller gets it as it was recorded.
   *
   * Failure semantics: a crash before the record runs it again with the same idempotency key (at least
   * once); after the record it never runs again. A throw is recorded as well, after `retry.attempts`
   * tries, and thrown here as an error with the name and message of the original.
   *
   * @param name Identifies the step together with its occurrence: the second use of a name is another step.
   * @throws TaskError `NOT_SERIALIZABLE` when the value is not JSON.
   */
  step<T>(name: string, run: (step: StepContext) => Promise<T> | T, retry?: RetryPolicy): Promise<T>;

  /**
   * Waits `ms` milliseconds, counted from the first time it is reached, without holding a worker.
   *
   * Failure semantics: the due time is recorded; crashes do not prolong it.
   */
  sleep(name: string, ms: number): Promise<void>;

  /**
   * Asks the user through the client, and waits for the answer without holding a worker.
   *
   * Failure semantics: the question is recorded before it is sent and asked once; the first answer counts.
   *
   * @returns the user's action: accept (with content), decline or cancel.
   * @throws TaskError `INPUT_FAILED` when the client answers with an error; its `data` is that error.
   */
  elicit(params: ElicitRequestFormParams): Promise<ElicitResult>;

  /** Sets the task's status message. Reported once, however often the function is replayed. */
  status(message: string): void;

  /**
   * Reports progress, at most ten times a second; what comes faster is coalesced to the latest. A
   * report lower than an earlier one is dropped.
   */
  progress(report: ProgressReport): void;

  /** The time in epoch milliseconds, recorded: a replay sees the same. */
  now(): number;

  /** A random UUID, recorded before any later step runs: a replay sees the same. */
  randomUUID(): string;
}
