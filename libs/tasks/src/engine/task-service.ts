import type { AbandonedHow, ContinuedBy, DetachReason, InputAnswer, Progress, TaskCreatedData } from '../domain/events.js';
import type { JsonObject } from '../domain/json.js';
import type { Outcome } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { Unsubscribe } from '../ports/event-store.js';
import type { PendingInput, TaskView } from '../domain/projections/task-view.js';
import type { NewCallback } from '../replay/signal-door.js';
import type { GivenSignal } from './send-signal.js';

/** The caller: the authorization context that tasks are bound to. */
export interface Caller {
  readonly owner: string;
}

/** A page of a caller's tasks, newest first. */
export interface TaskPage {
  readonly tasks: readonly TaskView[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** The way in which an answer came. */
export interface AnswerDoor {
  /** The record of that. */
  readonly via: string;
  /** For clients that learn of a refused answer only by being asked again: how many answers had been refused when the question was sent. */
  readonly refusedBefore?: number;
}

/** Which tasks are listed. */
export interface ListOptions {
  /** Where the page begins: `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** Whether tasks that plain calls wait for are listed too. @defaultValue false */
  readonly ofCalls?: boolean;
}

/** Why a task leaves its plain call, and what is known of a client that has given it up. */
export interface Detached {
  readonly because: DetachReason;
  /** What the client said. */
  readonly reason?: string | undefined;
  readonly how?: AbandonedHow | undefined;
  /** Its name and version. */
  readonly client?: string | undefined;
  readonly continuedBy?: ContinuedBy | undefined;
}

/** The part of a call that makes it the same as another one. */
export type CallOfTool = Pick<TaskCreatedData, 'owner' | 'tool' | 'arguments'>;

/** A task at one moment; once it has ended, with how it ended. */
export interface TaskSnapshot {
  readonly view: TaskView;
  readonly outcome?: Outcome;
  /** A moment before it was read, by `performance.now()`; absent if nobody knows. */
  readonly readAt?: number | undefined;
}

/** A notification that a task's tool sent to the client. */
export interface TaskNotification {
  readonly method: string;
  readonly params: JsonObject;
}

/** The notifications that a task's client has to receive. */
export interface UnsentNotifications {
  readonly progress?: Progress;
  readonly notifications: readonly TaskNotification[];
}

/**
 * The gateway's operations on tasks. A task of another owner looks exactly like a missing one. Every method rejects with `TaskError`
 * `STORE_UNAVAILABLE` while Redis is away, except methods that say that they wait.
 */
export interface TaskService {
  /**
   * Creates the task and enqueues its first pass. If the `idempotencyKey` was used before for the same call, the task of that call is
   * returned.
   *
   * Once its first event may have been written it waits while Redis is away: if the caller had to call again, the
   * work would be done twice.
   *
   * @throws TaskError `TOO_MANY_TASKS`, `TOO_MANY_BYTES`, `TOO_MANY_CREATIONS`, `IDEMPOTENCY_MISMATCH`, `IDEMPOTENCY_KEY_SPENT`, `STORE_FULL`
   */
  create(task: TaskCreatedData): Promise<TaskView>;
  /** @throws TaskError `TASK_NOT_FOUND`; implicit tasks are not found either. */
  get(taskId: string, caller: Caller): Promise<TaskView>;
  /** As `get`, with how the task ended. @throws TaskError `TASK_NOT_FOUND` */
  getWithOutcome(taskId: string, caller: Caller): Promise<TaskSnapshot>;
  /** As `getWithOutcome`, but finds implicit tasks too: for the stream of the plain call behind one. @throws TaskError `TASK_NOT_FOUND` */
  getOfCall(taskId: string, caller: Caller): Promise<TaskSnapshot>;
  /** Newest first. A page may be empty only if it is the last one. @throws TaskError `INVALID_CURSOR` */
  list(caller: Caller, options?: ListOptions): Promise<TaskPage>;
  /**
   * Lets a task leave its plain call and continue: from now on its caller finds it, also when the call is gone. It does nothing to other
   * tasks, and to tasks that have ended. While Redis is away it waits.
   */
  detach(view: TaskView, detached: Detached): Promise<TaskView>;
  /** Notes the task of a call that nobody waits for any more: `taskOfLeftCall` finds it when the same call comes again, for a day. */
  noteLeftCall(call: CallOfTool, taskId: TaskId): Promise<void>;
  /** The task that was last noted for a call of the same owner, tool and arguments. It may have ended since, and be gone. */
  taskOfLeftCall(call: CallOfTool): Promise<TaskId | undefined>;
  /** @throws TaskError `TASK_NOT_FOUND`, or `TASK_ENDED` with the view as data. */
  cancel(taskId: string, caller: Caller, reason?: string): Promise<TaskView>;
  /**
   * Records the client's answer to an input of one of the caller's tasks. The first answer counts.
   *
   * @param answer makes the answer, which may depend on the question
   * @returns false when it changed nothing: no such task or input, answered before, or ended.
   * @throws TaskError `ANSWER_DOES_NOT_FIT` with a sentence that names the misfit: the question stays open, and with `refusedBefore` it is
   * asked again
   */
  provideInput(
    taskId: string,
    key: string,
    answer: (asked: PendingInput) => InputAnswer,
    caller: Caller,
    door: AnswerDoor,
  ): Promise<boolean>;
  /**
   * Records a signal for one of the caller's tasks, also for one behind a plain call: see `sendSignal`.
   *
   * @returns false when it was taken before
   * @throws TaskError `TASK_NOT_FOUND`, `TASK_ENDED`, `SIGNAL_DOES_NOT_FIT`, `TOO_MANY_SIGNALS`, `INVALID_KEY`
   */
  signal(taskId: string, signal: GivenSignal, caller: Caller): Promise<boolean>;
  /** The address of a token that `context.callback` made; nothing when there is none, or its time is over. */
  findCallback(token: string): Promise<NewCallback | undefined>;
  /**
   * The task from now on: as it is, then after each change, and last with its outcome. Changes that
   * follow each other quickly may be seen as one. While Redis is away it waits.
   *
   * @param from the task as the caller has just read it
   * @throws TaskError `TASK_NOT_FOUND`, also when the task expires during the wait; the reason of `signal` when it aborts.
   */
  follow(from: TaskSnapshot, signal: AbortSignal): AsyncIterable<TaskSnapshot>;
  /** Calls `listener` with each listed task of the session after each change that its client can see. */
  watchSession(sessionId: string, listener: (taskId: TaskId) => void): Promise<Unsubscribe>;
  /**
   * The notifications of a task that no gateway has sent to its client yet. The caller has to send them now: several
   * gateways may see a change, and one of them sends the notification. While Redis is away it waits.
   *
   * @throws the reason of `signal` when it aborts
   */
  takeNotifications(view: TaskView, signal?: AbortSignal): Promise<UnsentNotifications>;
  /**
   * Does something on the store, and does it again until the store answers: for requests that wait anyway.
   *
   * @param work may be done several times
   * @throws the error of `work`, but never `STORE_UNAVAILABLE`; the reason of `signal` when it aborts
   */
  patiently<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}
