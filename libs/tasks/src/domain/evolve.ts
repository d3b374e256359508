/** The fold. It is pure: a state that is given stays as it is. */
import type { TaskEvent, TaskEventOf, Trial } from './events.js';
import type { InputRecord, MutableOperations, StepRecord, TimerRecord } from './operations.js';
import { initialState, type PassState, type TaskState, type Trials, UNKNOWN_VERSION } from './state.js';

/** A state under construction, owned by the code that made it. */
export type Draft = { -readonly [K in keyof TaskState]: TaskState[K] } & { operations: MutableOperations; pendingInputs: Set<string> };

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
  return { ...state, operations: state.operations.copy(), pendingInputs: new Set(state.pendingInputs) };
}

/** Applies one more event to a draft. */
export function apply(draft: Draft, event: TaskEvent): void {
  draft.version += 1;
  // What a fork has of its origin is older than itself.
  draft.updatedAt = Math.max(event.at, draft.createdAt);
  if (isProgress(event)) draft.trials = initialState.trials;
  applyLifecycle(draft, event);
  applyOperation(draft, event);
}

/** Whether the event shows that the pass came further: what was held against the task before counts no more. */
function isProgress({ type }: TaskEvent): boolean {
  // A step that ends its process may run for a while before.
  return type !== 'PassStarted' && type !== 'StepStarted' && type !== 'InputReceived' && type !== 'AnswerRefused' && type !== 'TimerFired';
}

/** A pass that is not on trial starts afresh: nothing is held against its task. */
function afterStart({ together, alone }: Trials, trial: Trial | undefined): Trials {
  if (trial === undefined) return initialState.trials;
  return trial === 'together' ? { together: true, alone } : { together, alone: alone + 1 };
}

function running({ at, data: { workerId, version } }: TaskEventOf<'PassStarted'>): PassState {
  return { phase: 'running', workerId, startedAt: at, ...(version !== undefined && { version }) };
}

function applyLifecycle(draft: Draft, event: TaskEvent): void {
  switch (event.type) {
    case 'TaskCreated':
      draft.task = event.data;
      draft.createdAt = event.at;
      draft.runStartedAt = event.at;
      draft.recordedBy = new Set(event.data.forkedFrom?.recordedBy);
      break;
    case 'TaskContinued':
      continueAsNew(draft, event);
      break;
    case 'PassStarted':
      draft.trials = afterStart(draft.trials, event.data.trial);
      draft.passNumber = event.data.pass;
      draft.epoch = event.data.epoch;
      draft.pass = running(event);
      draft.workerVersion = event.data.version;
      break;
    case 'PassSuspended':
      draft.pass = { phase: 'suspended', waitingFor: event.data.waitingFor, since: event.at };
      break;
    case 'PassFailed':
      draft.pass = { phase: 'retrying', retryAt: event.data.retryAt };
      draft.attempt = event.data.attempt + 1;
      draft.attemptSince = draft.version;
      draft.statusSeq = 0;
      draft.progressSeq = 0;
      draft.notificationSeq = 0;
      // The next attempt runs failed steps anew and keeps the completed ones.
      draft.operations.retain(({ status }) => status !== 'failed');
      break;
    case 'StatusReported':
      draft.statusMessage = event.data.message;
      draft.statusSeq = event.data.seq;
      break;
    case 'ProgressReported': {
      const { seq, ...progress } = event.data;
      draft.progress = progress;
      draft.progressAt = draft.version;
      draft.progressSeq = seq;
      break;
    }
    case 'NotificationSent':
      draft.notificationSeq = event.data.seq;
      // What was copied before the first pass has been sent for the origin.
      if (draft.passNumber > 0) draft.notifiedAt = draft.version;
      break;
    case 'TaskCompleted':
      end(draft, event.at, { kind: 'result', result: event.data.result });
      break;
    case 'TaskFailed':
      end(draft, event.at, { kind: 'error', error: event.data.error });
      break;
    case 'TaskCancelled':
      end(draft, event.at, { kind: 'cancelled', ...event.data });
      break;
    default:
  }
}

function continueAsNew(draft: Draft, { at, data }: TaskEventOf<'TaskContinued'>): void {
  const { version, pass, ...kept } = data;
  const begun = { version, runSince: version - 1, updatedAt: at, runStartedAt: at, passNumber: pass };
  Object.assign(draft, draftOf(initialState), kept, begun);
}

function applyOperation(draft: Draft, event: TaskEvent): void {
  switch (event.type) {
    case 'StepStarted':
      draft.startsNoted += 1;
      break;
    case 'StepCompleted': {
      const { key, value } = event.data;
      noteVersion(draft);
      settle(draft, key, { kind: 'step', status: 'completed', ...(value !== undefined && { value }) });
      break;
    }
    case 'StepFailed': {
      noteVersion(draft);
      const { key, error, attempt, retryAt } = event.data;
      if (retryAt === undefined) settle(draft, key, { kind: 'step', status: 'failed', error, attempt });
      else record(draft, key, { kind: 'step', status: 'retrying', error, attempt, retryAt });
      break;
    }
    case 'InputRequested': {
      noteVersion(draft);
      const { key, ...request } = event.data;
      record(draft, key, { kind: 'input', status: 'pending', ...request, askedAt: event.at });
      draft.pendingInputs.add(key);
      break;
    }
    case 'InputReceived': {
      const { key, answer } = event.data;
      const pending = draft.operations.get(key);
      draft.pendingInputs.delete(key);
      settle(draft, key, { kind: 'input', status: 'answered', method: pending?.kind === 'input' ? pending.method : '', answer });
      break;
    }
    case 'AnswerRefused': {
      const { key, reason } = event.data;
      const asked = draft.operations.get(key);
      if (asked?.kind === 'input' && asked.status === 'pending')
        draft.operations.set(key, { ...asked, refused: { times: (asked.refused?.times ?? 0) + 1, reason } });
      break;
    }
    case 'TimerScheduled':
      noteVersion(draft);
      record(draft, event.data.key, { kind: 'timer', status: 'scheduled', dueAt: event.data.dueAt, setAt: event.at });
      break;
    case 'TimerFired': {
      const timer = draft.operations.get(event.data.key);
      const { dueAt, setAt } = timer?.kind === 'timer' ? timer : { dueAt: event.at, setAt: event.at };
      settle(draft, event.data.key, { kind: 'timer', status: 'fired', dueAt, setAt });
      break;
    }
    default:
  }
}

/** Notes the version of the running pass, which records an operation. A new set, because states share it. */
function noteVersion(draft: Draft): void {
  // Copied before the first pass of a fork: who recorded it is known from its creation.
  if (draft.pass.phase !== 'running') return;
  const { version = UNKNOWN_VERSION } = draft.pass;
  if (!draft.recordedBy.has(version)) draft.recordedBy = new Set([...draft.recordedBy, version]);
}

function record(draft: Draft, key: string, operation: StepRecord | InputRecord | TimerRecord): void {
  draft.operations.set(key, { ...operation, since: draft.operations.get(key)?.since ?? draft.version });
}

function settle(draft: Draft, key: string, operation: StepRecord | InputRecord | TimerRecord): void {
  draft.operations.set(key, { ...operation, since: draft.operations.get(key)?.since ?? draft.version, settledAt: draft.version });
}

function end(draft: Draft, at: number, outcome: TaskState['outcome']): void {
  draft.outcome = outcome;
  draft.endedAt = at;
  draft.pass = { phase: 'idle' };
}
