/** Describes the kinds of recorded operations: the record of each, and its meaning for all code that handles operations. */
import type { ChildRecord } from './child-events.js';
import type { RefusedAnswers } from './asked-again.js';
import type { InputAnswer } from './events.js';
import type { Json, JsonObject, RecordedError } from './json.js';
import type { LargeValue } from './large-value.js';
import type { KeptSignal } from './signals.js';

/** A step that ran, failed for good, or is tried again later. */
type StepRecord =
  | { readonly kind: 'step'; readonly status: 'completed'; readonly value?: Json; readonly large?: LargeValue }
  | { readonly kind: 'step'; readonly status: 'failed'; readonly error: RecordedError; readonly attempt: number }
  | {
      readonly kind: 'step';
      readonly status: 'retrying';
      readonly error: RecordedError;
      readonly attempt: number;
      readonly retryAt: number;
    };

/** A request to the client. */
type InputRecord =
  | {
      readonly kind: 'input';
      readonly status: 'pending';
      readonly method: string;
      readonly params: JsonObject;
      /** Epoch milliseconds. */
      readonly askedAt: number;
      /** Absent as long as every answer fitted. */
      readonly refused?: RefusedAnswers;
    }
  | { readonly kind: 'input'; readonly status: 'answered'; readonly method: string; readonly answer: InputAnswer };

/** A wait for a time. */
type TimerRecord = {
  readonly kind: 'timer';
  readonly status: 'scheduled' | 'fired';
  readonly dueAt: number;
  /** When the wait began, epoch milliseconds. */
  readonly setAt: number;
};

/** A wait for a signal. */
export type SignalRecord =
  | {
      readonly kind: 'signal';
      /** `fired`: its time is over. */
      readonly status: 'scheduled' | 'fired';
      readonly names: readonly string[];
      /** Infinite without a limit. */
      readonly dueAt: number;
      /** When the wait began, epoch milliseconds. */
      readonly setAt: number;
      readonly schema?: JsonObject;
    }
  | { readonly kind: 'signal'; readonly status: 'received'; readonly signal: KeptSignal }
  | { readonly kind: 'signal'; readonly status: 'withdrawn'; readonly reason: string };

/** What is recorded of an operation. */
export type OperationRecord = StepRecord | InputRecord | TimerRecord | ChildRecord | SignalRecord;

/** A recorded operation of the workflow, by its key. */
export type Operation = OperationRecord & {
  /** Version at which it was first recorded. */
  readonly since: number;
  /** Version at which it was settled, which is the order in which a replay delivers it. */
  readonly settledAt?: number;
};

/** By what an operation differs from another one of its kind and key: the method of a question, the tool of a call. */
export function detailOf(operation: Operation): string | undefined {
  if (operation.kind === 'input') return operation.method;
  return operation.kind === 'child' ? operation.tool : undefined;
}

/** Whether a workflow that waits for the operation has its answer. */
export function isSettled(operation: Operation | undefined): boolean {
  return operation?.settledAt !== undefined;
}

/** The name of a kind. */
export type OperationKindName = Operation['kind'];

/** The description of a kind of operations. */
export interface OperationKind {
  /** The word that operators read in timelines. Persisted nowhere, but on the wire of the operator API. */
  readonly shown: 'step' | 'question' | 'timer' | 'child' | 'signal';
  /** Its name in tests of tools if the author named it, as in `sleep "nap"`. */
  readonly called: 'step' | 'request' | 'sleep' | 'call' | 'wait';
  /** Why a task waits that waits for such an operation: one of `WAIT_REASONS`. */
  readonly waitReason: 'retry' | 'question' | 'timer' | 'child' | 'signal';
  /** Who settles it: code that a worker runs, the clock, another task, or somebody else; the last two by a command from outside of the pass. */
  readonly settledBy: 'worker' | 'clock' | 'task' | 'others';
}

/** All kinds. */
export const OPERATION_KINDS = {
  step: { shown: 'step', called: 'step', waitReason: 'retry', settledBy: 'worker' },
  input: { shown: 'question', called: 'request', waitReason: 'question', settledBy: 'others' },
  timer: { shown: 'timer', called: 'sleep', waitReason: 'timer', settledBy: 'clock' },
  child: { shown: 'child', called: 'call', waitReason: 'child', settledBy: 'task' },
  signal: { shown: 'signal', called: 'wait', waitReason: 'signal', settledBy: 'others' },
} as const satisfies Record<OperationKindName, OperationKind>;

/** Kinds that only others settle. */
export type KindForOthers = {
  [K in OperationKindName]: (typeof OPERATION_KINDS)[K]['settledBy'] extends 'others' ? K : never;
}[OperationKindName];

/** Whether an operation of the kind is settled by a command from outside of the pass. */
export function isSettledOutside({ settledBy }: Pick<OperationKind, 'settledBy'>): boolean {
  return settledBy === 'others' || settledBy === 'task';
}

/** Whether somebody else can settle the operation, who has not yet. */
export function waitsOutside(operation: Operation): boolean {
  return operation.settledAt === undefined && isSettledOutside(OPERATION_KINDS[operation.kind]);
}

/** Whether only somebody else than a task can settle the operation, who has not yet. */
export function isForOthers(operation: Operation): boolean {
  return operation.settledAt === undefined && OPERATION_KINDS[operation.kind].settledBy === 'others';
}

/** When the operation continues by itself, epoch milliseconds; infinite when only somebody else can settle it, or it has settled. */
export function dueAt(operation: Operation | undefined): number {
  if (operation?.status === 'scheduled' || operation?.status === 'starting') return operation.dueAt;
  return operation?.status === 'retrying' ? operation.retryAt : Number.POSITIVE_INFINITY;
}
