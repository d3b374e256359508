/** Folds events into states. It is pure: a given state stays unchanged. */
import { APPLY_CHILDREN, hasFailed } from './evolve-children.js';
import { kindOf } from './event-kinds.js';
import { largeValueOf } from './large-value.js';
import type { TaskEvent, TaskEventOf, TaskEventType, Trial } from './events.js';
import type { OperationRecord, SignalRecord } from './operation-kinds.js';
import type { MutableOperations } from './operations.js';
import { withGivenBack, withoutTaken, withSent } from './signals.js';
import { sumOfSpending } from './spending.js';
import { initialState, type PassState, type TaskState, type Trials, UNKNOWN_VERSION } from './state.js';

/** A state under construction, owned by the code that made it. */
export type Draft = { -readonly [K in keyof TaskState]: TaskState[K] } & {
  operations: MutableOperations;
  pendingInputs: Set<string>;
  openChildren: Set<string>;
};

/** The state after one more event. */
export function evolve(state: TaskState, event: TaskEvent): TaskState {
  return fold([event], state);
}

/** How a task ends by the event; nothing by one that does not end it. */
export function outcomeBy(event: TaskEvent): TaskState['outcome'] {
  return evolve(initialState, event).outcome;
}

/** The state after all of `events`, starting from `from`, which is left as it was. */
export function fold(events: readonly TaskEvent[], from: TaskState = initialState): TaskState {
  const draft = draftOf(from);
  for (const event of events) apply(draft, event);
  return draft;
}

/** A draft that begins as the state, which is left as it was. */
export function draftOf(state: TaskState): Draft {
  const { operations, pendingInputs, openChildren } = state;
  return { ...state, operations: operations.copy(), pendingInputs: new Set(pendingInputs), openChildren: new Set(openChildren) };
}

/** Applies one more event to a draft. */
export function apply(draft: Draft, event: TaskEvent): void {
  draft.version += 1;
  // The events that a fork has of its origin are older than the fork itself.
  draft.updatedAt = Math.max(event.at, draft.createdAt);
  const kind = kindOf(event.type);
  if (kind === undefined) draft.unknownEvent ??= event.type;
  else {
    if (kind.isProgress) draft.trials = initialState.trials;
    (APPLY[event.type] as Apply<TaskEventType>)(draft, event);
  }
}

/** Changes a draft as an event of the type says. */
type Apply<T extends TaskEventType> = (draft: Draft, event: TaskEventOf<T>) => void;

const APPLY: { readonly [T in TaskEventType]: Apply<T> } = {
  TaskCreated(draft, { at, data }) {
    draft.task = data;
    draft.createdAt = at;
    draft.runStartedAt = at;
    draft.recordedBy = new Set(data.forkedFrom?.recordedBy);
  },
  TaskContinued(draft, { at, data: { version, pass, ...kept } }) {
    const begun = { version, runSince: version - 1, updatedAt: at, runStartedAt: at, passNumber: pass };
    Object.assign(draft, draftOf(initialState), kept, begun);
  },
  PassStarted(draft, event) {
    const { pass, epoch, version, trial } = event.data;
    draft.trials = afterStart(draft.trials, trial);
    draft.passNumber = pass;
    draft.epoch = epoch;
    draft.pass = running(event);
    draft.workerVersion = version;
  },
  PassSuspended(draft, { at, data: { waitingFor, patience } }) {
    draft.pass = { phase: 'suspended', waitingFor, since: at, ...(patience !== undefined && { patience }) };
  },
  PassFailed(draft, { data: { retryAt, attempt } }) {
    draft.pass = { phase: 'retrying', retryAt };
    draft.attempt = attempt + 1;
    draft.attemptSince = draft.version;
    draft.statusSeq = 0;
    draft.progressSeq = 0;
    draft.exposedSeq = 0;
    draft.spendSeq = 0;
    draft.notificationSeq = 0;
    // The next attempt runs failed steps again and keeps the completed ones. It waits again where a wait was given up.
    draft.operations.retain((operation) => !hasFailed(operation) && operation.status !== 'withdrawn');
  },
  StepStarted(draft) {
    draft.uncounted += 1;
  },
  StepCompleted(draft, { data: { key, value, large } }) {
    noteVersion(draft);
    draft.largeBytes += large?.bytes ?? 0;
    const kept = { ...(value !== undefined && { value }), ...(large !== undefined && { large }) };
    settle(draft, key, { kind: 'step', status: 'completed', ...kept });
  },
  // What follows from it is that a version which does not know it gives the task back.
  LargeValuesKept: () => undefined,
  StepFailed(draft, { data: { key, error, attempt, retryAt } }) {
    noteVersion(draft);
    if (retryAt === undefined) settle(draft, key, { kind: 'step', status: 'failed', error, attempt });
    else record(draft, key, { kind: 'step', status: 'retrying', error, attempt, retryAt });
  },
  InputRequested(draft, { at, data: { key, ...request } }) {
    noteVersion(draft);
    record(draft, key, { kind: 'input', status: 'pending', ...request, askedAt: at });
    draft.pendingInputs.add(key);
  },
  InputReceived(draft, { data: { key, answer } }) {
    const pending = draft.operations.get(key);
    draft.pendingInputs.delete(key);
    settle(draft, key, { kind: 'input', status: 'answered', method: pending?.kind === 'input' ? pending.method : '', answer });
  },
  AnswerRefused(draft, { data: { key, reason } }) {
    const asked = draft.operations.get(key);
    if (asked?.kind === 'input' && asked.status === 'pending')
      draft.operations.set(key, { ...asked, refused: { times: (asked.refused?.times ?? 0) + 1, reason } });
  },
  TimerScheduled(draft, { at, data: { key, dueAt } }) {
    noteVersion(draft);
    record(draft, key, { kind: 'timer', status: 'scheduled', dueAt, setAt: at });
  },
  TimerFired(draft, { at, data: { key } }) {
    const timer = draft.operations.get(key);
    if (timer?.kind === 'signal' && timer.status === 'scheduled') return settleWait(draft, key, { ...timer, status: 'fired' });
    const { dueAt, setAt } = timer?.kind === 'timer' ? timer : { dueAt: at, setAt: at };
    settle(draft, key, { kind: 'timer', status: 'fired', dueAt, setAt });
  },
  ...APPLY_CHILDREN,
  ChildStarted(draft, event) {
    noteVersion(draft);
    APPLY_CHILDREN.ChildStarted(draft, event);
  },
  ChildEnded(draft, event) {
    draft.largeBytes += largeValueOf(event)?.bytes ?? 0;
    APPLY_CHILDREN.ChildEnded(draft, event);
  },
  SignalSent(draft, { data: { id, ...signal } }) {
    draft.signals = withSent(draft.signals, signal, id);
  },
  SignalAwaited(draft, { at, data: { key, names, dueAt = Number.POSITIVE_INFINITY, schema } }) {
    noteVersion(draft);
    record(draft, key, { kind: 'signal', status: 'scheduled', names, dueAt, setAt: at, ...(schema !== undefined && { schema }) });
    draft.openWaits = [...draft.openWaits, key];
  },
  SignalReceived(draft, { data: { key, seq } }) {
    const signal = draft.signals.kept.find((kept) => kept.seq === seq);
    if (signal === undefined) return;
    draft.signals = withoutTaken(draft.signals, seq);
    settleWait(draft, key, { kind: 'signal', status: 'received', signal });
  },
  WaitWithdrawn(draft, { data: { key, reason } }) {
    const wait = draft.operations.get(key);
    if (wait?.kind !== 'signal') return;
    if (wait.status === 'received') draft.signals = withGivenBack(draft.signals, wait.signal);
    settleWait(draft, key, { kind: 'signal', status: 'withdrawn', reason });
  },
  StatusReported(draft, { data: { message, seq } }) {
    draft.statusMessage = message;
    draft.statusSeq = seq;
  },
  ProgressReported(draft, { data: { seq, ...progress } }) {
    draft.progress = progress;
    draft.progressAt = draft.version;
    // One of a child has none.
    draft.progressSeq = Math.max(draft.progressSeq, seq);
  },
  ValueExposed(draft, { data: { seq, value } }) {
    draft.exposed = { value };
    draft.exposedSeq = seq;
    draft.uncounted += 1;
  },
  SpendingReported(draft, { data: { step: _step, seq, ...spending } }) {
    if (seq !== undefined) draft.spendSeq = seq;
    // Copied before the first pass, it was spent by the origin.
    if (draft.passNumber > 0) draft.spent = sumOfSpending(draft.spent, spending);
  },
  NotificationSent(draft, { data: { seq } }) {
    draft.notificationSeq = seq;
    // Notifications copied before the first pass have been sent for the origin.
    if (draft.passNumber > 0) draft.notifiedAt = draft.version;
  },
  TaskDetached(draft, { at }) {
    draft.detachedAt = at;
  },
  TaskCompleted: (draft, { at, data }) => end(draft, at, { kind: 'result', ...data }),
  TaskFailed: (draft, { at, data }) => end(draft, at, { kind: 'error', ...data }),
  TaskCancelled: (draft, { at, data }) => end(draft, at, { kind: 'cancelled', ...data }),
};

/** A pass that is not on trial starts afresh: nothing is held against its task. */
function afterStart({ together, alone }: Trials, trial: Trial | undefined): Trials {
  if (trial === undefined) return initialState.trials;
  return trial === 'together' ? { together: true, alone } : { together, alone: alone + 1 };
}

function running({ at, data: { workerId, version } }: TaskEventOf<'PassStarted'>): PassState {
  return { phase: 'running', workerId, startedAt: at, ...(version !== undefined && { version }) };
}

/** Notes the version of the running pass, which records an operation. A new set, because states share it. */
function noteVersion(draft: Draft): void {
  // Copied before the first pass of a fork: who recorded it is known from its creation.
  if (draft.pass.phase !== 'running') return;
  const { version = UNKNOWN_VERSION } = draft.pass;
  if (!draft.recordedBy.has(version)) draft.recordedBy = new Set([...draft.recordedBy, version]);
}

function record(draft: Draft, key: string, operation: OperationRecord): void {
  draft.operations.set(key, { ...operation, since: draft.operations.get(key)?.since ?? draft.version });
}

function settle(draft: Draft, key: string, operation: OperationRecord): void {
  draft.operations.set(key, { ...operation, since: draft.operations.get(key)?.since ?? draft.version, settledAt: draft.version });
}

function settleWait(draft: Draft, key: string, wait: SignalRecord): void {
  draft.openWaits = draft.openWaits.filter((open) => open !== key);
  settle(draft, key, wait);
}

function end(draft: Draft, at: number, outcome: TaskState['outcome']): void {
  draft.outcome = outcome;
  draft.endedAt = at;
  draft.pass = { phase: 'idle' };
}
