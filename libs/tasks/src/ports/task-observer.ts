import type { TaskEvent } from '../domain/events.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';

/** An append that was written to the stream. */
export interface ObservedAppend {
  readonly taskId: TaskId;
  readonly before: TaskState;
  readonly events: readonly TaskEvent[];
  readonly after: TaskState;
}

/** A try of a step just before its function runs. */
export interface ObservedStep {
  readonly taskId: TaskId;
  /** The task as the pass that runs the step sees it. */
  readonly state: TaskState;
  readonly key: string;
  readonly attempt: number;
}

/** The sweep's repair of a task: replaced its lost job, had its lost pass taken over, or ended it because its time had expired. */
export type Repair = 'job' | 'pass' | 'deadline';

/**
 * Sees what happens to tasks in this process. Nothing of it may throw, and nothing waits for it.
 *
 * Each append is seen once, by the process that made it, so that everything derived from appends is derived once for the whole deployment,
 * no matter how often a task is replayed or taken over.
 */
export interface TaskObserver {
  onAppend(append: ObservedAppend): void;
  onRepair(repair: Repair): void;
  /** Runs the function of a step in the surroundings that it should have. */
  runStep<T>(step: ObservedStep, body: () => T): T;
}
