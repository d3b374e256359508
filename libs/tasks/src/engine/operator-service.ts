import type { InputAnswer, TaskCreatedData, TaskEvent } from '../domain/events.js';
import type { TaskRow } from '../domain/projections/task-row.js';
import type { Timeline } from '../domain/projections/timeline.js';
import type { PendingInput, TaskView } from '../domain/projections/task-view.js';
import type { Spending } from '../domain/spending.js';
import type { JsonObject } from '../domain/json.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskChange, Unsubscribe } from '../ports/event-store.js';
import type { FailureGroup, FailureTimes, RowCounts } from '../ports/operator-index.js';
import type { OwnerUse, TaskIndexPosition } from '../ports/task-index.js';
import type { HeldBack, OverdueEntries, QueueDepth } from '../ports/task-load.js';
import type { PausedWork } from '../ports/queue-pauses.js';
import type { RegisteredWorker, RunningPass } from '../ports/worker-registry.js';
import type { RecipientStanding, TaskWebhooks } from '../ports/webhook-outbox.js';
import type { OperatorFilter } from './search-keys.js';
import type { TextMatch } from './search-text.js';
import type { GivenSignal } from './send-signal.js';
import type { StatsSpan, TaskStats, WaitingAges } from './task-stats.js';
import type { TaskSnapshot } from './task-service.js';
import type { ListedWebhook } from './list-webhooks.js';
import type { ResultText } from './task-result.js';

/** Which tasks are asked for. */
export interface OperatorQuery {
  readonly filter: OperatorFilter;
  /** Part of the task's arguments or of its result; upper and lower case are the same. Each task that fits the filter is read for it. */
  readonly text?: string | undefined;
  /** Tasks of a page. */
  readonly limit: number;
  readonly after?: TaskIndexPosition | undefined;
}

/** A task in a list, and its view. */
export interface ListedTask {
  readonly row: TaskRow;
  readonly view: TaskView;
  /** Where the search text was found. */
  readonly match?: Pick<TextMatch, 'place' | 'excerpt'>;
  /** The task that does it again. */
  readonly retriedAs?: TaskId;
  /** Since when it waits to be tried, because processes that ran it have died: epoch milliseconds. */
  readonly waitsForTrialSince?: number;
}

/**
 * A page of a list, newest first. It may hold fewer tasks than asked for, or none, though there are more: then `next` says where to
 * continue.
 */
export interface OperatorPage {
  readonly tasks: readonly ListedTask[];
  /** Of a search for a text: how many tasks were read for this page, and how many of them could not be read. */
  readonly searched?: { readonly looked: number; readonly unreadable: number };
  readonly next?: TaskIndexPosition;
}

/** A search for a text. */
export type OperatorSearch = Omit<OperatorQuery, 'limit' | 'text'> & { readonly text: string };

/** What a search has found in the tasks that it has read since the step before; absent `next`: it is at its end. */
export type SearchStep = OperatorPage & Required<Pick<OperatorPage, 'searched'>>;

/** A task as operators see it. */
export interface OperatorTask extends TaskSnapshot {
  /** Its arguments, and its caller. */
  readonly created: TaskCreatedData;
  /** Absent if it has none. */
  readonly webhooks?: TaskWebhooks;
  /** The task that does it again. */
  readonly retriedAs?: TaskId;
  /** The limit that it waits for, if it could run otherwise. */
  readonly heldBack?: HeldBack;
  /** As in `ListedTask`. */
  readonly waitsForTrialSince?: number;
}

/** A snapshot of a followed task. */
export interface FollowedTask extends TaskSnapshot {
  /** As in `ListedTask`. */
  readonly waitsForTrialSince?: number;
}

/** An event with the version of the stream after it. */
export type NumberedEvent = TaskEvent & { readonly version: number };

/** Events in their order. */
export interface EventPage {
  readonly events: readonly NumberedEvent[];
  /** The version to continue after; absent at the end. */
  readonly next?: number;
}

/** A history as it is exported. */
export interface ExportedHistory {
  /** The id that the task had. */
  readonly taskId: string;
  /** From its first event on, or from the event with which it was continued as new. */
  readonly events: readonly NumberedEvent[];
}

/** The operator who imports a history, and the limits. */
export interface ImportTerms {
  readonly by: string;
  /** Looks at the task before anything is written; its errors are thrown on. The task may get another id. */
  readonly check?: (task: OperatorTask) => void;
}

/** A question that a task asks its client. */
export interface OpenQuestion {
  readonly view: TaskView;
  readonly input: PendingInput;
}

/** A page of questions; `next` as in `OperatorPage`. */
export interface QuestionPage {
  readonly questions: readonly OpenQuestion[];
  readonly next?: TaskIndexPosition;
}

/** An operator's action, for the record of the task. */
export interface OperatorAct {
  /** Written to the event: the name of the operator. */
  readonly by: string;
  readonly reason: string;
}

/** Where a task that is made of another one begins. */
export type RetryFrom = 'start' | 'failed-step' | { readonly step: string };

/** Says who retries a task, and which part of it a new one takes over. */
export interface RetryRequest {
  /** Who retries it. The same request from the same one, repeated, gives the task that it has made. */
  readonly by: string;
  /** Retries a task that was retried before. */
  readonly force?: boolean;
  /** The id of the new task when it is forced: if a task with this id exists, it is returned. @defaultValue a random one */
  readonly forcedId?: TaskId;
  /** Where the new task begins: see `ForkOptions.from`. `failed-step` is the step with whose error the task has failed, or the start. */
  readonly from?: RetryFrom;
  /** @defaultValue the arguments of the recorded task */
  readonly arguments?: JsonObject;
  /** A JSON merge patch on the arguments. */
  readonly patch?: JsonObject;
}

/** A worker, and the passes that it runs. */
export interface OperatedWorker extends Omit<RegisteredWorker, 'running'> {
  /** At most `MAX_LISTED_PASSES`, the longest running first; `tool` is absent if the task is gone. */
  readonly running: readonly (RunningPass & { readonly tool?: string })[];
}

/** A group of failures by its times and its newest task. */
export interface FailureSample extends FailureTimes {
  /** Absent when the task cannot be read. */
  readonly view?: TaskView;
}

/** The state of tasks and workers. */
export interface Standings extends RowCounts {
  readonly queue: QueueDepth;
  readonly paused: PausedWork;
  readonly overdue: OverdueEntries;
}

/**
 * The operators' view of all tasks, and their actions. It does not check the owner of a task: its holder may do everything. Every method
 * rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached.
 */
export interface OperatorService {
  /** Lists tasks by their views; entries of the index that differ from them are corrected. */
  list(query: OperatorQuery): Promise<OperatorPage>;
  /** Reads all tasks that fit a filter for a text, newest first, some at each step. */
  search(search: OperatorSearch): AsyncIterable<SearchStep>;
  /** @throws TaskError `TASK_NOT_FOUND`, `HISTORY_UNREADABLE` */
  get(taskId: string): Promise<OperatorTask>;
  /** How much of its limits an owner uses now. */
  useOf(owner: string): Promise<OwnerUse>;
  /** What the tasks of an owner have spent, of those that are kept the latest `MAX_SUMMED`. */
  spentBy(owner: string): Promise<Spending>;
  /** Events after a version, until they reach about `maxBytes`. @throws TaskError `TASK_NOT_FOUND`, `HISTORY_UNREADABLE` */
  history(taskId: string, afterVersion: number, maxBytes: number): Promise<EventPage>;
  /** The JSON of its result: see `resultText`. @throws TaskError `TASK_NOT_FOUND`, and as `resultText` */
  result(taskId: string): Promise<ResultText | undefined>;
  /** Creates a task under the limits of its owner. @throws as the creation of a task */
  create(task: TaskCreatedData): Promise<TaskView>;
  /** Makes a task of a history that was exported: see `importTask`. @throws TaskError `HISTORY_UNREADABLE`, `STORE_FULL` */
  import(history: ExportedHistory, terms: ImportTerms): Promise<TaskView>;
  /** The timeline of the task since it was created or last continued as new. @throws TaskError `TASK_NOT_FOUND`, `HISTORY_UNREADABLE` */
  timeline(taskId: string): Promise<Timeline>;
  /** The task from now on, until it ends. @throws TaskError `TASK_NOT_FOUND`; the reason of `signal` when it aborts */
  follow(taskId: string, signal: AbortSignal): AsyncIterable<FollowedTask>;
  /** Questions of tasks that fit the filter, newest task first. */
  questions(query: Omit<OperatorQuery, 'text'>): Promise<QuestionPage>;
  /**
   * Records an answer for the client. The first answer counts, the client's or an operator's.
   *
   * @param answer makes the answer; if it throws, the error is thrown on and nothing is recorded
   * @param via written to the event
   * @returns false when the question was answered before, the task never asked it, or has ended
   * @throws TaskError `TASK_NOT_FOUND`
   */
  answer(taskId: string, key: string, answer: (asked: PendingInput) => InputAnswer, via: string): Promise<boolean>;
  /** Records a signal for a task: see `sendSignal`. @returns false when it was taken before */
  signal(taskId: string, signal: GivenSignal): Promise<boolean>;
  /** Webhooks of all tasks, at most one for each endpoint of a task: see `listWebhooks`. */
  webhooks(standing: RecipientStanding, limit: number): Promise<readonly ListedWebhook[]>;
  /** @throws TaskError `TASK_NOT_FOUND`, or `TASK_ENDED` with the view as data */
  cancel(taskId: string, act: OperatorAct): Promise<TaskView>;
  /**
   * Makes a new task of a recorded one; that one stays as it is. Of several that do so at the same time, one makes it.
   *
   * @throws TaskError `ALREADY_RETRIED`, `TASK_NOT_FOUND`, `UNKNOWN_STEP`, and as the creation of a task
   */
  retry(taskId: string, request: RetryRequest): Promise<TaskView>;
  /** The tasks that were made of some of these tasks, by the ids of these: of each the latest one. */
  retries(taskIds: readonly TaskId[]): Promise<ReadonlyMap<TaskId, TaskId>>;
  standings(): Promise<Standings>;
  /** What happened to tasks in a span of time up to now. @param tool absent for all tools together */
  stats(span: StatsSpan, tool?: string): Promise<TaskStats>;
  /** Notes for `stats` how long the oldest job and the oldest question have waited by now, and returns it. */
  noteAges(): Promise<WaitingAges>;
  /** Groups of the failed tasks that were not retried, the largest first. */
  failureGroups(): Promise<readonly FailureGroup[]>;
  /** What is known of some of the groups: their times as `OperatorIndex.failureTimes`, and the view of the newest task. */
  failureSamples(causes: readonly string[], fromHour: number, count: number): Promise<ReadonlyMap<string, FailureSample>>;
  /** Calls `listener` after each append to any task: see `EventStore.onChange`. */
  onChange(listener: (change?: TaskChange) => void): Promise<Unsubscribe>;
  /** What is paused. */
  paused(): Promise<PausedWork>;
  /** Workers that are alive, by their ids. */
  workers(): Promise<readonly OperatedWorker[]>;
  /**
   * Stops new passes until `resume`: within a second on every worker, and on workers that start later. Passes that run continue.
   *
   * @param tool absent for all tools
   */
  pause(tool?: string): Promise<PausedWork>;
  /** Lets the passes begin that waited for it. Without a pause nothing changes. */
  resume(tool?: string): Promise<PausedWork>;
}
