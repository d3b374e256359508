/**
 * Defines the events of a task, in the words in which they are stored for ever: a name or a member here is never renamed, only added to.
 * `at` is epoch milliseconds by the clock of the store, as far as the process that decided knows it.
 */
import type { ChildEventData, ParentLink, Patience } from './child-events.js';
import type { QuestionKind } from './client-capability.js';
import type { Json, JsonObject, RecordedError } from './json.js';
import type { LargeValue } from './large-value.js';
import type { KeptSignal, Signals } from './signals.js';
import type { Spending } from './spending.js';
import type { TaskWebhook } from './webhook-kinds.js';

/** The protocol version of the client that created the task; the wire derives statuses from it. */
export type Generation = '2025-11-25' | '2026-07-28';

/** The facts known about the client when it created the task. */
export interface ClientInfo {
  readonly generation: Generation;
  readonly protocolVersion: string;
  readonly name?: string;
  readonly version?: string;
  readonly capabilities: JsonObject;
}

/** Whose records they are, and how long they are kept. */
export interface RecordOwner {
  readonly id: string;
  /** The account under which their bytes are counted too: for owners that anybody can become. */
  readonly account?: string;
  /** They expire when they were not used for this long, milliseconds. @defaultValue they are kept for ever */
  readonly idleMs?: number;
}

/** Who a caller is, as its token says. The token itself is kept nowhere. */
export interface CallerAuth {
  /** The user, or the client that acts for itself; for a static token the name of its holder. */
  readonly subject: string;
  /** The authorization server that says so. Absent for a static token. */
  readonly issuer?: string;
  /** The tenant of the subject, where the issuer has several. */
  readonly tenant?: string;
  /** The client that the token was issued to, where that is known. */
  readonly client?: string;
  /** The scopes that the token allows, and the scopes that these include. Absent for a static token, which allows everything. */
  readonly scopes?: readonly string[];
  /** Those claims that the configuration passes on. */
  readonly claims?: JsonObject;
}

/** Why a task exists and what it needs to run: the first event's data. */
export interface TaskCreatedData {
  /** Name of the tool that provides the workflow. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Why its arguments were refused. The arguments are not kept: the task ends with this error, and its workflow does not run. */
  readonly refused?: string;
  /** Authorization context that the task is bound to; no other caller sees it. */
  readonly owner: string;
  /** The creator by its token, at that moment. Absent if callers need no token. */
  readonly auth?: CallerAuth;
  /** The scopes that its tool needed when it was called: later code may need others, or not know the tool. @defaultValue nothing */
  readonly scopes?: readonly string[];
  /** The accounts under which the task is counted for the limits. @defaultValue its owner */
  readonly accounts?: readonly string[];
  /** The owner of the records that its tool reads and changes. Absent if nothing is known of the caller: then it has no records. */
  readonly recordOwner?: RecordOwner;
  readonly sessionId?: string;
  readonly client: ClientInfo;
  /**
   * The questions that wait for an answer of somebody else where the client cannot be asked; the workflow gets an error for the others.
   * @defaultValue none
   */
  readonly keptQuestions?: readonly QuestionKind[];
  /** Milliseconds for which the ended task is kept, at least: from its creation, or from its end if it has left a plain call. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** The task fails when it has not ended this long after its creation, milliseconds. */
  readonly maxRunMs?: number;
  /** The most that it may spend, with the tasks that it calls. @defaultValue any amount */
  readonly budget?: Spending;
  /** Whether its passes come before or after others of its owner, from -10 to 10. @defaultValue 0 */
  readonly priority?: number;
  /** Paths of the arguments by which operators find it, as its tool declares them. @defaultValue none */
  readonly searchable?: readonly string[];
  /** Digests of these arguments, as the task was created with them. @defaultValue none */
  readonly searchKeys?: readonly string[];
  /** The task fails when it has waited this long for an answer of its client, milliseconds. */
  readonly maxWaitMs?: number;
  /** Made for a plain call with a waiting caller; neither listed nor given out until it leaves that call. */
  readonly implicit?: boolean;
  /** The token of the creating request's `_meta`, valid for the task's whole life. */
  readonly progressToken?: string | number;
  readonly idempotencyKey?: string;
  /** W3C trace context of the creating request: its `traceparent`, and what came with that. */
  readonly trace?: string;
  readonly traceState?: string;
  readonly baggage?: string;
  /** The endpoints that it notifies of its questions and of its end. */
  readonly webhooks?: readonly TaskWebhook[];
  /** Of a task that an operator has made from another one. */
  readonly forkedFrom?: ForkOrigin;
  /** Who started it instead of a client: an operator. */
  readonly startedBy?: string;
  /** The task that has started it. */
  readonly parent?: ParentLink;
  /** Of a recorded history that was brought here. It is for operators only, and nothing of it ran here. */
  readonly imported?: ImportOrigin;
}

/** Where an imported history is from. */
export interface ImportOrigin {
  /** The id that the task had. */
  readonly taskId: string;
  /** The beginning of the idempotency keys of its steps: the keys of a task that is made of it begin so too. */
  readonly stepKeysOf: string;
  /** When it was imported, epoch milliseconds. */
  readonly at: number;
  /** Who did it. */
  readonly by: string;
}

/** Which recorded task another one was made from, and what it has of it. */
export interface ForkOrigin {
  readonly taskId: string;
  /** The version of the origin's last event before the fork continues by itself. */
  readonly version: number;
  /** The first task of the forks of forks: data that is kept for one task alone is kept under its id. */
  readonly firstTaskId: string;
  /**
   * The beginning of the idempotency keys of steps, as in the origin. Absent if the arguments are others: then the fork has its own keys.
   */
  readonly stepKeysOf?: string;
  /** Versions of the deployment that recorded the copied events. Absent if nothing was copied. */
  readonly recordedBy?: readonly string[];
  /** Who made it: an operator, with the operation on many tasks that it was part of. */
  readonly by?: string;
}

/** When a try of a step began: by the same clock, epoch milliseconds, and after which version of the task. */
export interface StepStart {
  readonly startedAt: number;
  readonly startedAfter: number;
}

/** The client's answer to a requested input: a result or a JSON-RPC error. */
export type InputAnswer =
  { readonly response: JsonObject } | { readonly error: { readonly code: number; readonly message: string; readonly data?: Json } };

/** A JSON-RPC error that ends a task. */
export interface TaskFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

/** What the function of a task has thrown at last. For operators: clients never get it. */
export interface Thrown {
  readonly name: string;
  readonly code?: string | number;
  /** Key of the step that has failed with it. */
  readonly step?: string;
  /** As in `RecordedError`. */
  readonly stack?: string;
}

/**
 * Why a task left its plain call: the call was answered with the task's id, its client gave the call up, or the client came back for the
 * task itself.
 */
export type DetachReason = 'handed-over' | 'abandoned' | 'followed';

/** How a client gave its call up: with a message that cancels it, or by closing the connection without one. */
export type AbandonedHow = 'cancelled' | 'closed';

/**
 * What decided that a task continues whose client gave its call up: its tool, the setting of the deployment, the reason that the client
 * gave, the time after which clients give up by themselves, or a response that had begun.
 */
export type ContinuedBy = 'tool' | 'setting' | 'reason' | 'time' | 'stream';

/** The latest progress report. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The value that the workflow shows while it runs; null is one too. */
export interface Exposed {
  readonly value: Json;
}

/**
 * How a suspect runs, which is a pass that may have killed its process: in a process that it shares with other suspects, or in one of its
 * own. Only the death of the latter counts against the task.
 */
export type Trial = 'together' | 'alone';

interface EventData extends ChildEventData {
  readonly TaskCreated: TaskCreatedData;
  /**
   * A worker claimed a pass; `epoch` is the fencing token of everything that it appends. `version` is the
   * worker's version of the deployment, `trial` how a suspect is isolated: see `Trial`.
   */
  readonly PassStarted: {
    readonly pass: number;
    readonly epoch: number;
    readonly workerId: string;
    readonly attempt: number;
    readonly version?: string;
    readonly trial?: Trial;
  };
  /** A try of a step has run for a moment and continues. It is for people: nothing follows from it. */
  readonly StepStarted: { readonly key: string; readonly attempt: number } & StepStart;
  /** An operation that did not run, such as a time that was drawn, has no start. */
  readonly StepCompleted: { readonly key: string; readonly value?: Json; readonly large?: LargeValue } & Partial<StepStart>;
  /**
   * From here on the record refers to large values. It says no more: a worker that does not know of them gives the task back because of
   * it, and does not take such a step for one without a value.
   */
  readonly LargeValuesKept: object;
  /** With `retryAt` the step is tried again then; without, the failure is final. */
  readonly StepFailed: {
    readonly key: string;
    readonly error: RecordedError;
    readonly attempt: number;
    readonly retryAt?: number;
  } & Partial<StepStart>;
  readonly InputRequested: { readonly key: string; readonly method: string; readonly params: JsonObject };
  readonly InputReceived: { readonly key: string; readonly answer: InputAnswer; readonly via: string };
  /** An answer did not fit, and could not be refused in any other way: the question is asked again, with the reason. */
  readonly AnswerRefused: { readonly key: string; readonly reason: string; readonly via: string };
  readonly TimerScheduled: { readonly key: string; readonly dueAt: number };
  /** A timer is due, or the time of a wait for a signal is over. */
  readonly TimerFired: { readonly key: string };
  /** A signal came, and is kept until a wait takes it. `id` is the digest of the id of its delivery. */
  readonly SignalSent: KeptSignal & { readonly id?: string };
  /** The workflow waits for a signal of one of the names: until `dueAt`, or for ever; a value must fit `schema`, a JSON Schema. */
  readonly SignalAwaited: {
    readonly key: string;
    readonly names: readonly string[];
    readonly dueAt?: number;
    readonly schema?: JsonObject;
  };
  /** The wait took the signal with the number `seq`. */
  readonly SignalReceived: { readonly key: string; readonly seq: number };
  /** The workflow gave its wait up. A signal that the wait had taken is kept for the next one. */
  readonly WaitWithdrawn: { readonly key: string; readonly reason: string };
  /**
   * The task left its plain call and continues: from now on its caller finds it by its id, and its result is kept for `ttlMs` from its end.
   * `afterMs` is how long the call had waited; the rest is known if its client gave up: what that said, how it did so, which it is, and what
   * decided that the task continues.
   */
  readonly TaskDetached: {
    readonly because: DetachReason;
    readonly afterMs: number;
    readonly reason?: string;
    readonly how?: AbandonedHow;
    readonly client?: string;
    readonly continuedBy?: ContinuedBy;
  };
  /**
   * The pass left its worker; the next one is due when one of `waitingFor` is settled, or at once if it is empty. With `patience`, children
   * that have ended make it due together.
   */
  readonly PassSuspended: { readonly pass: number; readonly waitingFor: readonly string[]; readonly patience?: Patience };
  /** `seq` counts the workflow's calls, so that a replay does not report again. */
  readonly StatusReported: { readonly message: string; readonly seq: number };
  readonly ProgressReported: { readonly progress: number; readonly total?: number; readonly message?: string; readonly seq: number };
  /**
   * The workflow shows a value; the latest one counts. `seq` counts the workflow's own calls, so that a replay does not show an earlier value
   * again; a call within a step has the number of the last of them.
   */
  readonly ValueExposed: Exposed & { readonly seq: number };
  /**
   * The task has spent something: in a try of `step`, in whose record's batch it is, or outside of steps; then `seq` counts the calls of the
   * workflow, so that a replay does not count again.
   */
  readonly SpendingReported: Spending & { readonly step?: string; readonly seq?: number };
  /** A notification to the client, such as a log message. */
  readonly NotificationSent: { readonly method: string; readonly params: JsonObject; readonly seq: number };
  /** The workflow threw; a new attempt is due at `retryAt`. */
  readonly PassFailed: { readonly pass: number; readonly error: RecordedError; readonly attempt: number; readonly retryAt: number };
  /**
   * The workflow begins again with other arguments, in a stream of its own: this is its first event, and the data that is kept of the
   * previous run. `version` is the version of this event; versions, passes and epochs count on.
   */
  readonly TaskContinued: {
    readonly version: number;
    readonly task: TaskCreatedData;
    readonly createdAt: number;
    readonly pass: number;
    readonly epoch: number;
    readonly statusMessage?: string;
    readonly progress?: Progress;
    readonly progressAt?: number;
    readonly exposed?: Exposed;
    readonly spent?: Spending;
    readonly notifiedAt?: number;
    readonly detachedAt?: number;
    readonly signals?: Signals;
  };
  /** If the result is a large value, `result` is what a client gets that reads no large values: it says where the parts are. */
  readonly TaskCompleted: { readonly result: JsonObject; readonly large?: LargeValue; readonly thrown?: Thrown };
  readonly TaskFailed: { readonly error: TaskFailure; readonly thrown?: Thrown };
  readonly TaskCancelled: { readonly reason?: string; readonly by: string };
}

/** The name of an event. */
export type TaskEventType = keyof EventData;

/** One event of the named type. */
export type TaskEventOf<T extends TaskEventType> = { readonly type: T; readonly at: number; readonly data: EventData[T] };

/** Any event of a task. */
export type TaskEvent = { [T in TaskEventType]: TaskEventOf<T> }[TaskEventType];
