/**
 * Describes each type of event for the code that records, replays, copies, keeps and shows it: the table has an entry for each type, and no
 * other list of types exists. How it changes the state of its task is in `evolve.ts`, which has an entry for each as well.
 */
import type { TaskEvent, TaskEventOf, TaskEventType } from './events.js';
import type { OperationKindName } from './operation-kinds.js';

/**
 * The role of an event. `begins` a run of the workflow; `starts` a pass; `rests`: the pass leaves its worker, and the task continues later;
 * `keeps` something from outside for an operation that may come; `opens` an operation; `tries` it: a try of it runs; `settles` it, or says that it is tried again; `notes` something of it; `reports` to
 * the client; `leaves` the call that made the task; `ends` the task.
 */
export type EventRole = 'begins' | 'starts' | 'rests' | 'keeps' | 'opens' | 'tries' | 'settles' | 'notes' | 'reports' | 'leaves' | 'ends';

/** The description of a type of event. */
export type EventKind<T extends TaskEventType = TaskEventType> = EventMeaning & OperationOf<T>;

interface EventMeaning {
  readonly role: EventRole;
  /** It shows that the pass came further: what was held against the task before counts no more. */
  readonly isProgress: boolean;
  /**
   * Without it a task can neither end nor rest nor continue at another worker: it is written even when the store has no room. All but
   * results, answers and the arguments of a continued task are small; those are bounded.
   */
  readonly mustFit: boolean;
  /** The client of the task may have to receive a notification after it. */
  readonly isVisible: boolean;
  /** Whether a fork has it of its origin; `settled`: if its operation had settled by then. */
  readonly forked: 'always' | 'settled' | 'never';
  /** Its data is encrypted where payloads are. `false` is for data that says nothing but who runs the task. */
  readonly isSealed: boolean;
}

/** An event with a key names the kind of the operation that it is about, and no other event does. */
type OperationOf<T extends TaskEventType> = T extends KeyedEventType
  ? { readonly operation: OperationKindName }
  : { readonly operation?: undefined };

/** Types of events that are about an operation. */
type KeyedEventType = { [T in TaskEventType]: TaskEventOf<T>['data'] extends { readonly key: string } ? T : never }[TaskEventType];

/** An event that is about an operation. */
export type OperationEvent = { [T in KeyedEventType]: TaskEventOf<T> }[KeyedEventType];

/** All types of events. */
export const EVENT_KINDS = {
  TaskCreated: { role: 'begins', isProgress: true, mustFit: false, isVisible: false, forked: 'never', isSealed: true },
  TaskContinued: { role: 'begins', isProgress: true, mustFit: true, isVisible: false, forked: 'never', isSealed: true },
  PassStarted: { role: 'starts', isProgress: false, mustFit: true, isVisible: false, forked: 'never', isSealed: false },
  PassSuspended: { role: 'rests', isProgress: true, mustFit: true, isVisible: false, forked: 'never', isSealed: true },
  PassFailed: { role: 'rests', isProgress: true, mustFit: true, isVisible: false, forked: 'always', isSealed: true },
  // A step that ends its process may run for a while before.
  StepStarted: { role: 'tries', operation: 'step', isProgress: false, mustFit: false, isVisible: false, forked: 'never', isSealed: true },
  StepCompleted: {
    role: 'settles',
    operation: 'step',
    isProgress: true,
    mustFit: false,
    isVisible: false,
    forked: 'settled',
    isSealed: true,
  },
  LargeValuesKept: { role: 'notes', isProgress: false, mustFit: false, isVisible: false, forked: 'always', isSealed: true },
  StepFailed: { role: 'settles', operation: 'step', isProgress: true, mustFit: false, isVisible: false, forked: 'settled', isSealed: true },
  InputRequested: {
    role: 'opens',
    operation: 'input',
    isProgress: true,
    mustFit: false,
    isVisible: true,
    forked: 'settled',
    isSealed: true,
  },
  InputReceived: {
    role: 'settles',
    operation: 'input',
    isProgress: false,
    mustFit: true,
    isVisible: true,
    forked: 'settled',
    isSealed: true,
  },
  AnswerRefused: { role: 'notes', operation: 'input', isProgress: false, mustFit: false, isVisible: true, forked: 'never', isSealed: true },
  TimerScheduled: {
    role: 'opens',
    operation: 'timer',
    isProgress: true,
    mustFit: false,
    isVisible: false,
    forked: 'settled',
    isSealed: true,
  },
  TimerFired: {
    role: 'settles',
    operation: 'timer',
    isProgress: false,
    mustFit: true,
    isVisible: false,
    forked: 'settled',
    isSealed: true,
  },
  ChildStarted: {
    role: 'opens',
    operation: 'child',
    isProgress: true,
    mustFit: false,
    isVisible: false,
    forked: 'settled',
    isSealed: true,
  },
  ChildDelayed: { role: 'notes', operation: 'child', isProgress: true, mustFit: true, isVisible: false, forked: 'never', isSealed: true },
  ChildCreated: { role: 'notes', operation: 'child', isProgress: true, mustFit: true, isVisible: false, forked: 'settled', isSealed: true },
  ChildDetached: {
    role: 'settles',
    operation: 'child',
    isProgress: true,
    mustFit: true,
    isVisible: false,
    forked: 'settled',
    isSealed: true,
  },
  ChildEnded: {
    role: 'settles',
    operation: 'child',
    isProgress: false,
    mustFit: true,
    isVisible: false,
    forked: 'settled',
    isSealed: true,
  },
  SignalSent: { role: 'keeps', isProgress: false, mustFit: false, isVisible: false, forked: 'always', isSealed: true },
  SignalAwaited: {
    role: 'opens',
    operation: 'signal',
    isProgress: true,
    mustFit: false,
    isVisible: false,
    forked: 'settled',
    isSealed: true,
  },
  SignalReceived: {
    role: 'settles',
    operation: 'signal',
    isProgress: false,
    mustFit: false,
    isVisible: false,
    forked: 'settled',
    isSealed: true,
  },
  WaitWithdrawn: {
    role: 'settles',
    operation: 'signal',
    isProgress: true,
    mustFit: false,
    isVisible: false,
    forked: 'settled',
    isSealed: true,
  },
  StatusReported: { role: 'reports', isProgress: true, mustFit: false, isVisible: true, forked: 'always', isSealed: true },
  ProgressReported: { role: 'reports', isProgress: true, mustFit: false, isVisible: true, forked: 'always', isSealed: true },
  // A step that ends its process may have shown something before, each time.
  ValueExposed: { role: 'reports', isProgress: false, mustFit: false, isVisible: false, forked: 'always', isSealed: true },
  SpendingReported: { role: 'reports', isProgress: true, mustFit: false, isVisible: false, forked: 'always', isSealed: true },
  NotificationSent: { role: 'reports', isProgress: true, mustFit: false, isVisible: true, forked: 'always', isSealed: true },
  TaskDetached: { role: 'leaves', isProgress: false, mustFit: true, isVisible: true, forked: 'never', isSealed: true },
  TaskCompleted: { role: 'ends', isProgress: true, mustFit: true, isVisible: true, forked: 'never', isSealed: true },
  TaskFailed: { role: 'ends', isProgress: true, mustFit: true, isVisible: true, forked: 'never', isSealed: true },
  TaskCancelled: { role: 'ends', isProgress: true, mustFit: true, isVisible: true, forked: 'never', isSealed: true },
} as const satisfies { readonly [T in TaskEventType]: EventKind<T> };

/** Types of events that have the role. */
export type TypeOfRole<R extends EventRole> = {
  [T in TaskEventType]: (typeof EVENT_KINDS)[T]['role'] extends R ? T : never;
}[TaskEventType];

/** The description of the type; nothing for a type that only a later version knows. */
export function kindOf(type: string): EventKind | undefined {
  return Object.hasOwn(EVENT_KINDS, type) ? EVENT_KINDS[type as TaskEventType] : undefined;
}

/** Whether an event of the type ends its task. */
export function isEnd(type: TaskEvent['type']): boolean {
  return kindOf(type)?.role === 'ends';
}
