import { kindOf } from '../domain/event-kinds.js';
import type { TaskEvent } from '../domain/events.js';
import type { Milliseconds } from '../domain/milliseconds.js';
import type { RowStatus, TaskRow } from '../domain/projections/task-row.js';
import { isForClients, type TaskProjection, type TaskView } from '../domain/projections/task-view.js';
import type { Outcome } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { DueWebhook } from '../domain/projections/webhooks.js';
import type { StoredEvent } from './stored-event.js';
import type { Account, LimitRefusal, Registration } from './task-index.js';

/** One atomic write: events, the view after them, and the recipients of its messages. */
export interface AppendRequest {
  readonly taskId: TaskId;
  /** Version that the stream must have for the append to happen; 0 creates it. */
  readonly expectedVersion: number;
  /** Lease epoch of the pass that appends; absent for everybody else. */
  readonly epoch?: number;
  /** At least one event. */
  readonly events: readonly StoredEvent[];
  /** The history may not take more than this after the append, bytes; absent for an append that must always fit. */
  readonly maxBytes?: number;
  readonly projection: TaskProjection;
  /** Lease epoch that the stream has after the append. */
  readonly epochAfter: number;
  /**
   * The task must be looked at in at most this many milliseconds: its date in the agenda is brought forward with the append, or before it.
   */
  readonly lookInMs?: Milliseconds;
  /** The append ends a task that a worker runs, or settles what it waits for: the worker must be notified. */
  readonly interrupts?: boolean;
  /** The operators' row of the task after the append: written with it, or soon after it. Absent when the row has not changed. */
  readonly row?: TaskRow;
  /**
   * Webhooks that the append makes due: they are in the outbox with it. Present, though perhaps empty, when the append ends a task with
   * webhooks.
   */
  readonly webhooks?: readonly DueWebhook[];
  /** The append ends the task, which is retired under these accounts with it, or after it. */
  readonly retires?: Retirement;
}

/** The end of a task for the accounts under which it is counted: see `TaskIndex.retire`. */
export interface Retirement {
  readonly accounts: readonly string[];
  readonly keptMs: Milliseconds;
  /** How long the store has the task, if that is longer. */
  readonly storedMs: Milliseconds;
}

/** `conflict`: the stream has another version than expected. `fenced`: a later epoch holds the task. `too-large`: over `maxBytes`. */
export type AppendResult = 'appended' | 'conflict' | 'fenced' | 'too-large';

/** Some events of a task in order, and facts about the whole history. */
export interface HistoryPage {
  readonly events: readonly TaskEvent[];
  /** Version of the last of them, or the version that was asked from. */
  readonly version: number;
  readonly isLast: boolean;
  /** The size of the whole history, bytes. */
  readonly historyBytes: number;
}

/** Up to which version notifications were delivered to the task's client. */
export type DeliveryMark = 'progress' | 'notifications';

/** The reader of a task. For its client an ended task is gone when its own time has expired; operators may have it longer. */
export type TaskReader = 'client' | 'operator';

/** A task that has ended, and how. */
export interface EndedTask {
  readonly view: TaskView;
  readonly outcome: Outcome;
}

/** What was read of a task. */
export interface KnownTask {
  readonly version: number;
  /** A moment before it was read, by `performance.now()`; absent if nobody knows. */
  readonly readAt?: number | undefined;
}

/** That there was an append. */
export interface TaskChange {
  readonly taskId: TaskId;
  /** The new status of the task, if the append has changed it. */
  readonly status?: RowStatus;
  /** The append has created the task. */
  readonly isNew: boolean;
}

/** Ends a subscription; further calls do nothing. */
export type Unsubscribe = () => void;

/**
 * The streams of tasks. An append is atomic and optimistic: of several writers that expect the same
 * version exactly one wins. Change messages are hints: a listener re-reads, and may miss some.
 *
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface EventStore {
  append(request: AppendRequest): Promise<AppendResult>;
  /**
   * Counts a task under all of the accounts and appends its first events, or does neither when that exceeds a limit of one account. It is
   * one step where the store can do that.
   *
   * @throws StoreUnreached, if nothing can have been done
   */
  create(request: AppendRequest, registration: Registration, accounts: readonly Account[]): Promise<AppendResult | LimitRefusal>;
  /**
   * Events after version `afterVersion`, in order: until they reach `maxBytes`, or all of them. Empty for a missing task; a task that only
   * operators still have has its events.
   *
   * @param isNew whether the first event is probably the only one: then it is asked for first, by a cheaper command
   * @throws TaskError `HISTORY_UNREADABLE` when an event is not one that this code wrote
   */
  readPage(taskId: TaskId, afterVersion: number, maxBytes: number, isNew?: boolean): Promise<HistoryPage>;
  /** All events after version `afterVersion`, read page by page. Empty for a missing task. */
  read(taskId: TaskId, afterVersion?: number): Promise<readonly TaskEvent[]>;
  /**
   * The views of the named tasks, in their order, `undefined` where there is no such task for the reader; one round trip, or two for
   * operators.
   *
   * @param reader @defaultValue `client`
   */
  views(taskIds: readonly TaskId[], reader?: TaskReader): Promise<readonly (TaskView | undefined)[]>;
  /**
   * The view and, once ended, the outcome; a large result is read from its event.
   *
   * @param reader @defaultValue `client`
   */
  readOutcome(taskId: TaskId, reader?: TaskReader): Promise<{ view: TaskView; outcome?: Outcome } | undefined>;
  /**
   * Calls `listener` after each append to the task, at times also after one shortly before; resolves when no later append can be
   * missed. If the append ended the task, the listener may get what `readOutcome` would return.
   *
   * @param known what the caller has read of the task: the listener is called at once, unless there was certainly no append since then
   */
  subscribe(taskId: TaskId, listener: (ended?: EndedTask) => void, known?: KnownTask): Promise<Unsubscribe>;
  /** Calls `listener` with each listed task of the session after each append that its client can see. */
  onSessionChange(sessionId: string, listener: (taskId: TaskId) => void): Promise<Unsubscribe>;
  /**
   * Moves a mark of the task forward to version `to`: the caller that moves it must handle the versions in between, and no other caller
   * handles them.
   *
   * @returns where the mark was, or `undefined` when it is at `to` or further already
   */
  advanceMark(taskId: TaskId, mark: DeliveryMark, to: number): Promise<number | undefined>;
  /** Calls `listener` with each task that ended while a worker ran it, if another process ended it, so that the worker can stop. */
  onInterrupted(listener: (taskId: TaskId) => void): Promise<Unsubscribe>;
  /**
   * Calls `listener` after each append to any task; for operators. Called without a change when some may have been missed. The row may be
   * written a moment later.
   */
  onChange(listener: (change?: TaskChange) => void): Promise<Unsubscribe>;
  /** Frees the connections that the store opened itself. */
  close(): Promise<void>;
}

/** Whether the events must be appended even when Redis is out of memory. */
export function mustFit(events: readonly StoredEvent[]): boolean {
  return events.some(({ type }) => kindOf(type)?.mustFit === true);
}

/** The session of the client that can see the append; nothing for tasks of plain calls and of parents, because no client has a handle of them. */
export function visibleTo({ events, projection }: AppendRequest): string | undefined {
  const { view } = projection;
  return isForClients(view) && events.some(({ type }) => kindOf(type)?.isVisible === true) ? view.sessionId : undefined;
}
