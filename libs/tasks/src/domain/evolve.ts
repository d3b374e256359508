/**
 * The fold. `evolve` is pure; `fold` applies many events to one private draft, because copying the
 * operations for each of 10,000 events would make loading a long task quadratic.
 */
import type { TaskEvent } from './events.js';
import { initialState, type InputRecord, type Operation, type StepRecord, type TaskState, type TimerRecord } from './state.js';

/** A state under construction, owned by whoever made it. */
export type Draft = { -readonly [K in keyof TaskState]: TaskState[K] } & { operations: Map<string, Operation> };

/** The state after one more event. */
export function evolve(state: TaskState, event: TaskEvent): TaskState {
  return fold([event], state);
}

/** The state after all of `events`, starting from `from`, which is left as it was. */
export function fold(events: readonly TaskEvent[], from: TaskState = initialState): TaskState {
  const draft = draftOf(from);
  for (const event of events) apply(draft, event);
  return draft;
}

/** A draft that begins as the state, which is left as it was. */
export function draftOf(state: TaskState): Draft {
  return { ...state, operations: new Map(state.operations) };
}

/** Applies one more event to a draft. */
export function apply(draft: Draft, event: TaskEvent): void {
  draft.version += 1;
  draft.updatedAt = event.at;
  applyLifecycle(draft, event);
  applyOperation(draft, event);
}

function applyLifecycle(draft: Draft, event: TaskEvent): void {
  switch (event.type) {
    case 'TaskCreated':
      draft.task = event.data;
      draft.createdAt = event.at;
      break;
    case 'PassStarted':
      draft.lostPasses = draft.pass.phase === 'running' ? draft.lostPasses + 1 : 0;
      draft.passNumber = event.data.pass;
      draft.epoch = event.data.epoch;
      draft.pass = { phase: 'running', workerId: event.data.workerId, startedAt: event.at };
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
      for (const [key, operation] of draft.operations) if (operation.status === 'failed') draft.operations.delete(key);
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
      draft.notifiedAt = draft.version;
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

function applyOperation(draft: Draft, event: TaskEvent): void {
  switch (event.type) {
    case 'StepCompleted': {
      const { key, ...value } = event.data;
      settle(draft, key, { kind: 'step', status: 'completed', ...value });
      draft.lostPasses = 0;
      break;
    }
    case 'StepFailed': {
      const { key, retryAt, ...failure } = event.data;
      if (retryAt === undefined) settle(draft, key, { kind: 'step', status: 'failed', ...failure });
      else record(draft, key, { kind: 'step', status: 'retrying', ...failure, retryAt });
      draft.lostPasses = 0;
      break;
    }
    case 'InputRequested': {
      const { key, ...request } = event.data;
      record(draft, key, { kind: 'input', status: 'pending', ...request });
      break;
    }
    case 'InputReceived': {
      const { key, answer } = event.data;
      const pending = draft.operations.get(key);
      settle(draft, key, { kind: 'input', status: 'answered', method: pending?.kind === 'input' ? pending.method : '', answer });
      break;
    }
    case 'TimerScheduled':
      record(draft, event.data.key, { kind: 'timer', status: 'scheduled', dueAt: event.data.dueAt });
      break;
    case 'TimerFired': {
      const timer = draft.operations.get(event.data.key);
      settle(draft, event.data.key, { kind: 'timer', status: 'fired', dueAt: timer?.kind === 'timer' ? timer.dueAt : event.at });
      break;
    }
    default:
  }
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
