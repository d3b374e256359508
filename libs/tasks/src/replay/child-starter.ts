/** Defines what a pass needs of its worker to start other tasks. */
import type { ChildOutcome, ParentLink } from '../domain/child-events.js';
import type { TaskCreatedData } from '../domain/events.js';
import type { JsonObject } from '../domain/json.js';
import type { Spending } from '../domain/spending.js';
import type { TaskId } from '../domain/task-id.js';

/** A child that must be created. */
export interface ChildRequest {
  readonly taskId: TaskId;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly parent: TaskCreatedData;
  readonly link: ParentLink;
  /** How many children the parent has started, with this one. */
  readonly count: number;
  /** Since when its parent waits for it to be created, epoch milliseconds. */
  readonly startedAt: number;
  readonly ttlMs?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The most that it may spend. */
  readonly budget?: Spending | undefined;
  /** As `problemOfPriority` allows it. */
  readonly priority?: number | undefined;
  /** W3C trace context of the parent's operation. */
  readonly trace: string;
}

/**
 * What became of the request. `delayed`: its owner has too many tasks at the moment, another task has its idempotency key and has not ended,
 * or the store is away. `taskId` is that of a task that had the key before.
 */
export type StartedChild =
  | { readonly kind: 'created'; readonly taskId: TaskId }
  | { readonly kind: 'ended'; readonly taskId: TaskId; readonly outcome: ChildOutcome }
  | { readonly kind: 'delayed'; readonly reason: string; readonly afterMs: number }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** Starts children of the tasks that a worker runs. */
export interface ChildStarter {
  /** How many children of one task may be unfinished at once; more wait. */
  readonly atOnce: number;
  /**
   * Creates the child unless it exists: a child of an id is created once. It never rejects.
   *
   * Failure semantics: a crash before the reply has the next pass ask again.
   */
  start(request: ChildRequest): Promise<StartedChild>;
}

/** Starts nothing: for passes of a process that is not meant to. */
export const NO_CHILDREN: ChildStarter = {
  atOnce: 1,
  start: async () => ({ kind: 'refused', code: 'CHILD_REFUSED', message: 'No tasks are started here.' }),
};
