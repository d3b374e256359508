/**
 * Defines the commands that a task accepts. Time (`at`) arrives inside every command; random values (ids, jitter) were drawn before.
 * Commands with an `epoch` come from the worker that holds the pass.
 */
import type { ChildOutsideCommand, ChildPassCommand } from './child-commands.js';
import type { InputAnswer, TaskCreatedData, TaskEvent, TaskEventOf, TaskFailure, Trial } from './events.js';
import type { Json, JsonObject, RecordedError } from './json.js';
import type { Milliseconds } from './milliseconds.js';
import type { MisfitOf } from './signals.js';

interface FromAnyone {
  readonly at: number;
}

interface FromPass extends FromAnyone {
  /** The lease epoch under which the pass was claimed. */
  readonly epoch: number;
}

type Command<T extends string, Base, Data> = { readonly type: T } & Base & Data;

/** Starts the stream, with what `forkOf` has taken over for a task that is made from another one. */
export type CreateTask = Command<'CreateTask', FromAnyone, { readonly task: TaskCreatedData; readonly recorded?: readonly TaskEvent[] }>;
/** A worker asks to run pass `pass`; timers that are due fire in the same append. */
export type ClaimPass = Command<
  'ClaimPass',
  FromAnyone,
  {
    readonly pass: number;
    readonly workerId: string;
    /** The worker's version of the deployment. */
    readonly version?: string;
    /** Given for a suspect, with `nextTrial`. */
    readonly trial?: Trial;
  }
>;
/** The client's answer to input `key`. */
export type ProvideInput = Command<
  'ProvideInput',
  FromAnyone,
  { readonly key: string; readonly answer: InputAnswer; readonly via: string }
>;
/** The client's answer to input `key` did not fit, and it must be asked again to learn that. */
export type RefuseAnswer = Command<
  'RefuseAnswer',
  FromAnyone,
  {
    readonly key: string;
    readonly reason: string;
    readonly via: string;
    /** How many answers had been refused when the question went out that was answered: it is asked again for that once. */
    readonly refusedBefore: number;
  }
>;
/** A signal from outside. `misfitOf` compares its value with the schemas of waits, because the domain has no patterns of its own. */
export type SendSignal = Command<
  'SendSignal',
  FromAnyone,
  {
    readonly name: string;
    readonly value: Json;
    /** JSON of the value. */
    readonly bytes: number;
    readonly via: string;
    /** Digest of the id of the delivery: the task takes one delivery of each id. */
    readonly id?: string;
    readonly misfitOf: MisfitOf;
  }
>;
/** Ends the task if one of its deadlines has passed. */
export type ExpireTask = Command<'ExpireTask', FromAnyone, object>;
/** Ends the task because it cannot continue, whether or not a pass runs. */
export type FailPermanently = Command<'FailPermanently', FromAnyone, { readonly error: TaskFailure }>;
/** Ends the task for its owner. */
export type CancelTask = Command<'CancelTask', FromAnyone, { readonly by: string; readonly reason?: string }>;

/** Lets the task leave its plain call; does nothing to a task that no plain call waits for. */
export type DetachTask = Command<'DetachTask', FromAnyone, TaskEventOf<'TaskDetached'>['data']>;

/** The commands of the worker that runs a pass. */
export type PassCommand =
  | Command<'StartStep', FromPass, TaskEventOf<'StepStarted'>['data']>
  | Command<'CompleteStep', FromPass, TaskEventOf<'StepCompleted'>['data']>
  | Command<'FailStep', FromPass, TaskEventOf<'StepFailed'>['data'] & { readonly retryAt?: Milliseconds }>
  | Command<'RequestInput', FromPass, { readonly key: string; readonly method: string; readonly params: JsonObject }>
  /** Takes a question back; does nothing when it has been answered. */
  | Command<'WithdrawInput', FromPass, { readonly key: string; readonly reason: string }>
  | Command<'ScheduleTimer', FromPass, { readonly key: string; readonly dueAt: Milliseconds }>
  | Command<'FireTimer', FromPass, { readonly key: string }>
  | ChildPassCommand
  /** Begins a wait for a signal, which takes the first kept signal of its name that fits. */
  | Command<
      'AwaitSignal',
      FromPass,
      TaskEventOf<'SignalAwaited'>['data'] & {
        readonly dueAt?: Milliseconds;
        readonly misfitOf: MisfitOf;
        /** Whether a signal of the name is kept, so that the workflow perhaps continues at once. */
        readonly mayBeKept?: boolean;
      }
    >
  /** Gives a wait for a signal up; does nothing when its time is over. */
  | Command<'WithdrawWait', FromPass, TaskEventOf<'WaitWithdrawn'>['data']>
  | Command<'ReportStatus', FromPass, TaskEventOf<'StatusReported'>['data']>
  | Command<'ReportProgress', FromPass, TaskEventOf<'ProgressReported'>['data']>
  | Command<'ExposeValue', FromPass, TaskEventOf<'ValueExposed'>['data']>
  | Command<'ReportSpending', FromPass, TaskEventOf<'SpendingReported'>['data']>
  | Command<'SendNotification', FromPass, TaskEventOf<'NotificationSent'>['data']>
  | Command<'SuspendPass', FromPass, Omit<TaskEventOf<'PassSuspended'>['data'], 'pass'>>
  | Command<'FailPass', FromPass, { readonly error: RecordedError; readonly retryAt: Milliseconds }>
  | Command<'ContinueAsNew', FromPass, { readonly arguments: JsonObject }>
  | Command<'CompleteTask', FromPass, TaskEventOf<'TaskCompleted'>['data']>
  | Command<'FailTask', FromPass, TaskEventOf<'TaskFailed'>['data']>;

/** The commands that are allowed at any time, whether or not a pass runs, and are decided without the history. */
export type OutsideCommand =
  ProvideInput | RefuseAnswer | SendSignal | DetachTask | CancelTask | ExpireTask | FailPermanently | ChildOutsideCommand;

/** Any command. */
export type TaskCommand = CreateTask | ClaimPass | OutsideCommand | PassCommand;
