/**
 * Defines the context that the author of a durable tool gets. Every operation here is recorded: when the task continues in a later pass,
 * perhaps on another machine, the author's function runs again from its start, recorded operations return what they returned before, and
 * the first unrecorded one really runs.
 *
 * The function must therefore be deterministic between its operations: time, randomness and I/O belong
 * into `now`, `randomUUID` and `step`.
 */
import type {
  CallToolResult,
  CreateMessageRequestParamsBase,
  CreateMessageRequestParamsWithTools,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  LoggingLevel,
  Root,
} from '@modelcontextprotocol/sdk/types.js';
import type { QuestionKind } from '../domain/client-capability.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { CallerAuth, ClientInfo } from '../domain/events.js';
import type { Spending } from '../domain/spending.js';
import type { TaskId } from '../domain/task-id.js';
import type { OwnerContext } from '../ports/owner-context.js';
import type { CallerKeys } from '../write/caller-keys.js';
import type { FlowContext } from './flow-context.js';
import type { Recordable } from './recordable.js';
import type { StepContext, StepOptions } from './step-context.js';
import type { SignalContext } from './signal-context.js';
import type { SpendContext } from './spend-context.js';

/** A report of progress; `progress` must be higher each time. */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A request that the client may run as a task of its own. */
export interface ClientTaskRequest {
  readonly method: 'sampling/createMessage' | 'elicitation/create';
  readonly params: JsonObject;
}

/** How a client's task is followed. */
export interface ClientTaskOptions {
  /** How long the client is asked to keep its task, milliseconds. Default 300,000. */
  readonly ttlMs?: number;
  /** Stop after so many polls. Default: only the deadlines of our own task end the wait. */
  readonly maxPolls?: number;
  /** Called with the client's task when it was created and after each poll; called again in each replay. */
  readonly onStatus?: (task: ClientTaskStatus) => void;
}

/** The client's task, as the client describes it. */
export interface ClientTaskStatus {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly pollInterval?: number;
}

/**
 * The result of a request to the client: `immediate` when it answered at once, `ended` when its task ended (with a result if it completed),
 * `unfinished` when `maxPolls` was reached.
 */
export type ClientTaskResult =
  | { readonly kind: 'immediate'; readonly result: JsonObject }
  | { readonly kind: 'ended'; readonly task: ClientTaskStatus; readonly result?: JsonObject }
  | { readonly kind: 'unfinished'; readonly task: ClientTaskStatus };

/**
 * Small values that live as long as the client's session. Each access is recorded like a step.
 *
 * A name has at most 512 bytes (TaskError `INVALID_KEY`), the JSON of a value 16 MiB (`NOT_SERIALIZABLE`), and a session 2,000
 * values and 64 MiB of names and values, all sessions of a caller or an address 256 MiB (`SESSION_FULL`).
 */
export interface SessionValues {
  get(name: string): Promise<Json | undefined>;
  set(name: string, value: Json): Promise<void>;
  delete(name: string): Promise<void>;
}

/** Has a model generate a message; one that is offered tools may answer with uses of them. */
export interface Sample {
  (params: CreateMessageRequestParamsWithTools): Promise<CreateMessageResultWithTools>;
  (params: CreateMessageRequestParamsBase): Promise<CreateMessageResult>;
}

/** How another tool is run. */
export interface CallOptions {
  /**
   * Identifies the call together with its occurrence, as the name of a step does. @defaultValue the order of the calls that have no name
   */
  readonly name?: string;
  /** Does not wait: the call gives the id of the task, which continues when this one ends. @defaultValue false */
  readonly detach?: boolean;
  /** How long the record of the task is kept, from its creation, milliseconds. @defaultValue as its tool says */
  readonly ttl?: number;
  /** Of the same owner, one task has this key. @defaultValue a key of this call alone */
  readonly idempotencyKey?: string;
  /** What becomes of the task when this one ends before it. @defaultValue it is cancelled */
  readonly onCancel?: 'cancel' | 'leave';
  /** The most that the task may spend. It never has more than is left of the budget of this one. @defaultValue as its tool says */
  readonly budget?: Spending;
  /** Whether its passes come before or after others of its owner, from -10 to 10. @defaultValue as its tool says, or the priority of this task */
  readonly priority?: number;
  /**
   * Shows its progress as the progress of this task, with the name of its tool before each message: at most once a second, and less often
   * the longer it runs. A report that is no higher than the one before is left out, so show one call at a time, and report no progress of
   * your own beside it. Reports that are on their way when a process dies are lost. @defaultValue false
   */
  readonly progress?: boolean;
}

/** Runs another tool of the deployment as a task of its own. */
export interface Call {
  (tool: string, args: JsonObject | undefined, options: CallOptions & { readonly detach: true }): Promise<TaskId>;
  (tool: string, args?: JsonObject, options?: CallOptions): Promise<CallToolResult>;
}

/** The durable operations of a task. */
export interface TaskContext extends SignalContext, FlowContext, SpendContext {
  readonly taskId: TaskId;
  /** 1 for the first run of the workflow, raised each time that it failed and is tried again. */
  readonly attempt: number;
  /** Aborts when the task is cancelled or this worker has lost it, or when this pass has ended; the reason is as for a step's signal. */
  readonly signal: AbortSignal;
  /** The client as it was when it created the task. */
  readonly client: ClientInfo;
  /** The questions that are kept for somebody else where this client cannot be asked: another client of the caller, or an operator. */
  readonly keptQuestions: readonly QuestionKind[];
  /**
   * Who created the task, as the token said at that moment: recorded with the task, without the token. Absent if callers need not identify
   * themselves.
   */
  readonly auth: CallerAuth | undefined;
  /** Distinguishes the caller from others. Its requests have the same keys. */
  readonly caller: CallerKeys;
  /** The most that the task may spend, as it was recorded when the task was created. Absent if it may spend any amount. */
  readonly budget?: Spending;
  /** Where the client wants progress, if the call that created the task says so. */
  readonly progressToken?: string | number;
  /** Values that other calls of the same session see as well. */
  readonly session: SessionValues;
  /**
   * What is kept for the caller that has created the task; absent where nothing is known of it. Only steps use it: elsewhere,
   * reads, updates and notifications throw a `TypeError`.
   *
   * Failure semantics: the same as for the step. A crash before the step's record runs it again, and its updates with it.
   */
  readonly owner: OwnerContext | undefined;

  /**
   * Runs `run` once and records its value, which must be JSON; the caller gets it as it was recorded, without
   * members that are `undefined`.
   *
   * Failure semantics: a crash before the record runs it again with the same idempotency key (at least once); after the record it never
   * runs again. A throw is recorded as well, after `retry.attempts` tries, and thrown here as an error with the name and message of the
   * original. A try that takes longer than `timeoutMs` fails with `STEP_TIMEOUT`; what its function does after that is not recorded, but a
   * function that ignores its signal may keep running next to the next try.
   *
   * @param name Identifies the step together with its occurrence: the second use of a name is another step.
   * @throws TaskError `NOT_SERIALIZABLE` when the value is not JSON, with the place of what is not; `STEP_TIMEOUT`
   */
  step<T>(name: string, run: (step: StepContext) => Promise<T & Recordable<T>> | (T & Recordable<T>), options?: StepOptions): Promise<T>;

  /**
   * Waits `ms` milliseconds, counted from the first time it is reached, without holding a worker.
   *
   * Failure semantics: the due time is recorded; crashes do not prolong it.
   */
  sleep(name: string, ms: number): Promise<void>;

  /**
   * Runs another tool as a task of its own, for the same caller, and waits for its result without holding a worker.
   *
   * Failure semantics: that the task is to be created is recorded before it is created, under an id that follows from this call. So a crash
   * at any moment neither creates it twice nor forgets it. Its end is recorded here once. When this task ends before, the other one is
   * cancelled, unless `onCancel` says `leave`. As many tasks as the deployment allows are unfinished at once; the rest of the calls wait.
   *
   * @returns the result of the tool as a client would get it; with `detach` the id of the task
   * @throws TaskError `CHILD_FAILED`, `CHILD_CANCELLED`, `CHILD_LOST`, `CHILD_RESULT_TOO_LARGE`, or `CHILD_REFUSED` when it was not created,
   *   with the reason in `data.code`. `data` has the id of the task and the name of its tool. `INVALID_KEY`, `NOT_SERIALIZABLE`
   */
  call: Call;

  /**
   * Asks the user through the client, by a form or by a URL to open, and waits for the answer without
   * holding a worker.
   *
   * Failure semantics: the question is recorded before it is sent; the first answer counts.
   *
   * @returns the user's action: accept (with content, from a form), decline or cancel.
   * @throws TaskError `CLIENT_LACKS_CAPABILITY` where the client cannot be asked and the task keeps no such questions; `INPUT_FAILED` when the client answers with an error, which is its `data`;
   *   `NOT_SERIALIZABLE` when the params are no JSON, or more than 4 MiB of it.
   */
  elicit(params: ElicitRequestFormParams | ElicitRequestURLParams): Promise<ElicitResult>;

  /**
   * Has the client's model generate a message. Failure semantics and errors as for `elicit`. Tools for the model need the
   * client's capability `sampling.tools`, and `includeContext` other than `none` needs `sampling.context`.
   */
  sample: Sample;

  /** The roots that the client offers now. Failure semantics and errors as for `elicit`. */
  listRoots(): Promise<Root[]>;

  /**
   * Asks what `ask` asks of the client, until the signal aborts: the questions that are unanswered then are withdrawn. Their promises
   * reject, and a client that answers later finds them answered. Only questions count that `ask` asks before its first `await`.
   *
   * Failure semantics: a withdrawal is recorded as an answer is, and the first of them counts; a crash before is made up for by the replay.
   * So the signal must be one of the workflow's own, which it aborts by recorded values only.
   *
   * @example
   * ```ts
   * const enough = new AbortController();
   * const answer = context.whileWanted(enough.signal, () => context.elicit({ message: 'Go on?', requestedSchema }));
   * const first = await Promise.race([answer.catch(() => undefined), context.sleep('patience', 60_000)]);
   * enough.abort(new Error('It is too late.'));
   * ```
   * @throws what `ask` throws; of questions that were withdrawn, TaskError `INPUT_FAILED` with the reason
   */
  whileWanted<T>(signal: AbortSignal, ask: () => T): T;

  /**
   * Resolves when the client answers; at once in 2026-07-28, which has no ping. Failure semantics as for `elicit`: the task waits
   * for its client without holding a worker.
   *
   * @throws TaskError `INPUT_FAILED` when the client answers with an error
   */
  ping(): Promise<void>;

  /**
   * Sends a request that the client may run as a task of its own, if it has declared that it does, polls that task at the client's
   * interval by durable timers, and fetches its result.
   *
   * Failure semantics: each request and each timer is recorded; a crash repeats none that was answered.
   *
   * @throws TaskError `INPUT_FAILED` when the client answers one of the requests with an error, or its task has an id of more than
   *   256 bytes; `NOT_SERIALIZABLE` as for `elicit`.
   */
  clientTask(request: ClientTaskRequest, options?: ClientTaskOptions): Promise<ClientTaskResult>;

  /**
   * Ends this run of the function and begins a new one with other arguments, under the same task id. For work that never ends, or is longer
   * than a history may be: the new run has an empty history, and `maxRunMs` and `ttl` count from its beginning. Progress continues from
   * where it was. Await it and do nothing after: it never returns.
   *
   * Failure semantics: a crash before the record continues the function from the last record; after it, the new run begins. Steps that
   * still run are aborted.
   *
   * @throws TaskError `NOT_SERIALIZABLE` when the arguments are not JSON
   */
  continueAsNew(args: JsonObject): Promise<never>;

  /**
   * Which code a task takes where the workflow has changed: true if it comes here for the first time, false if
   * its record shows that older code has led it past this place. Every call with the same name gives the same
   * answer, in every pass. Once no task is left for which it is false, the call and the older code can go.
   *
   * Failure semantics: true is recorded, before any later step runs; false follows from the record.
   *
   * @param name of the change, 1 to 128 characters, never used for another one
   * @throws TaskError `INVALID_KEY`
   */
  changed(name: string): boolean;

  /**
   * Sends a log message to the client, if its session wants that level. Sent once, however often the function is replayed.
   *
   * @throws TaskError `NOT_SERIALIZABLE` when the data is no JSON, or more than 64 KiB of it; `INVALID_KEY` when the name of the
   *   logger has more than 256 bytes
   */
  log(level: LoggingLevel, data: unknown, logger?: string): void;

  /**
   * Notifies the client that the action of a URL elicitation has been completed. Sent once.
   *
   * @throws TaskError `INVALID_KEY` when the id has more than 256 bytes
   */
  elicitationComplete(elicitationId: string): void;

  /** Sets the task's status message, cut to 2 KiB with an ellipsis. Reported once, however often the function is replayed. */
  status(message: string): void;

  /**
   * Reports progress, at most ten times a second; what comes faster is coalesced to the latest. A
   * report that is not higher than all earlier ones is dropped, and a message is cut to 2 KiB with an ellipsis.
   */
  progress(report: ProgressReport): void;

  /**
   * Shows a small value of JSON to those who look at the task: its caller, and operators. The latest value counts, also after the task has
   * ended. The function continues at once; a step may use it too.
   *
   * Failure semantics: the value is recorded with what the task records next, or after a tenth of a second; of values in between only the
   * latest is. A task that shows much is recorded less often, but always when it begins to wait or ends. A crash before the record loses
   * nothing but time: the replay makes the call again. After the record a replay does not show an earlier value again. A fork has the value
   * of its origin at that place, and `continueAsNew` keeps it.
   *
   * @throws TaskError `NOT_SERIALIZABLE` when the value is no JSON, or more than 16 KiB of it
   */
  expose<T>(value: T & Recordable<T>): void;

  /** The time in epoch milliseconds, recorded: a replay sees the same. */
  now(): number;

  /** A random UUID, recorded before any later step runs: a replay sees the same. */
  randomUUID(): string;
}
