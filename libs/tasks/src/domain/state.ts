import type { Patience } from './child-events.js';
import type { Exposed, Progress, TaskCreatedData, TaskFailure, Thrown } from './events.js';
import type { JsonObject } from './json.js';
import type { LargeValue } from './large-value.js';
import { noOperations, type Operations } from './operations.js';
import { noSignals, type Signals } from './signals.js';
import type { Spending } from './spending.js';

/** How the task ended. The wire has its own words for it. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: JsonObject; readonly large?: LargeValue; readonly thrown?: Thrown }
  | { readonly kind: 'error'; readonly error: TaskFailure; readonly thrown?: Thrown }
  | { readonly kind: 'cancelled'; readonly by: string; readonly reason?: string };

/** Passes of a suspect that were started and neither recorded anything nor ended. */
export interface Trials {
  /** Whether one ran in a process together with other suspects. */
  readonly together: boolean;
  /** How many ran in a process of their own. */
  readonly alone: number;
}

/** Where the task stands between its worker and its waits. */
export type PassState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly workerId: string; readonly startedAt: number; readonly version?: string }
  | { readonly phase: 'suspended'; readonly waitingFor: readonly string[]; readonly since: number; readonly patience?: Patience }
  | { readonly phase: 'retrying'; readonly retryAt: number };

/** The version of a pass that does not say which it had. */
export const UNKNOWN_VERSION = 'unknown';

/** The fold of a task's events. */
export interface TaskState {
  /** Number of events folded; 0 means that there is no such task. */
  readonly version: number;
  readonly task: TaskCreatedData | undefined;
  readonly createdAt: number;
  /** When the workflow began, for a task that was continued as new: its latest beginning. */
  readonly runStartedAt: number;
  /** Version before the first event of the present stream: 0 unless the task was continued as new. */
  readonly runSince: number;
  readonly updatedAt: number;
  /** Number of the latest pass; a pass that is claimed again after a lost worker keeps it. */
  readonly passNumber: number;
  readonly pass: PassState;
  /** The version of the deployment of the worker that began the latest pass, if the worker named it. */
  readonly workerVersion: string | undefined;
  /** Fencing token: only the worker that holds it may append to a running pass. */
  readonly epoch: number;
  /** 1 for the first run of the workflow, raised by each failed one. */
  readonly attempt: number;
  /** Version at which the present attempt began; operations from before it may go unasked. */
  readonly attemptSince: number;
  /** How the passes since the latest record were isolated, because the process of an earlier one had died. */
  readonly trials: Trials;
  readonly operations: Operations;
  /** Versions of the deployment that recorded the operations; `UNKNOWN_VERSION` stands for workers that did not name theirs. */
  readonly recordedBy: ReadonlySet<string>;
  /** Bytes of the large values that a replay of the present stream reads. */
  readonly largeBytes: number;
  /** How many events of the present stream do not count among those that a task may have: they say that a step runs, or show a value. */
  readonly uncounted: number;
  /** Keys of the requests to the client that are unanswered. */
  readonly pendingInputs: ReadonlySet<string>;
  /** Keys of the children that have not ended and that the task waits for. */
  readonly openChildren: ReadonlySet<string>;
  /** How many children the present run of the workflow has started. */
  readonly childrenStarted: number;
  readonly signals: Signals;
  /** Keys of the waits for signals that have not settled. */
  readonly openWaits: readonly string[];
  readonly statusMessage: string | undefined;
  readonly statusSeq: number;
  readonly progress: Progress | undefined;
  readonly progressSeq: number;
  /** Version of the latest progress report; 0 before the first. */
  readonly progressAt: number;
  readonly exposed: Exposed | undefined;
  readonly exposedSeq: number;
  /** What the task has spent, with the tasks that it has called and that have ended; nothing before it says so. */
  readonly spent: Spending | undefined;
  readonly spendSeq: number;
  readonly notificationSeq: number;
  /** Version of the latest notification to the client; 0 before the first. */
  readonly notifiedAt: number;
  /** When the task left its plain call; nothing as long as that waits, and for a task that never had one. */
  readonly detachedAt: number | undefined;
  readonly outcome: Outcome | undefined;
  readonly endedAt: number | undefined;
  /** The type of the first event that only a later version knows: what follows from it is missing in the state. */
  readonly unknownEvent: string | undefined;
  /** The part of the restored view that only a later version knows. */
  readonly carried: CarriedMembers | undefined;
}

/** Members of a view that this version does not know: they are in the next view as they were in the one before. */
export interface CarriedMembers {
  readonly view: JsonObject;
  readonly standing: JsonObject;
  /** Of pending inputs, by their keys. */
  readonly inputs: ReadonlyMap<string, JsonObject>;
}

/** The state before the first event. */
export const initialState: TaskState = {
  version: 0,
  task: undefined,
  createdAt: 0,
  runStartedAt: 0,
  runSince: 0,
  updatedAt: 0,
  passNumber: 0,
  pass: { phase: 'idle' },
  workerVersion: undefined,
  epoch: 0,
  attempt: 1,
  attemptSince: 0,
  trials: { together: false, alone: 0 },
  operations: noOperations,
  recordedBy: new Set(),
  largeBytes: 0,
  uncounted: 0,
  pendingInputs: new Set(),
  openChildren: new Set(),
  childrenStarted: 0,
  signals: noSignals,
  openWaits: [],
  statusMessage: undefined,
  statusSeq: 0,
  progress: undefined,
  progressSeq: 0,
  progressAt: 0,
  exposed: undefined,
  exposedSeq: 0,
  spent: undefined,
  spendSeq: 0,
  notificationSeq: 0,
  notifiedAt: 0,
  detachedAt: undefined,
  outcome: undefined,
  endedAt: undefined,
  unknownEvent: undefined,
  carried: undefined,
};
