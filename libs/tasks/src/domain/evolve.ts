/**
 * The fold. `evolve` is pure; `fold` applies many events to one private draft, because copying the
 * operations for each of 10,000 events would make loading a long task quadratic.
 */
import type { TaskEvent } from './events.js';
import { type Operation, type TaskState, initialState } from './state.js';

type Draft = { -readonly [K in keyof TaskState]: TaskState[K] } & { operations: Map<string, Operation> };

/** The state after one more event. */
export function evolve(state: TaskState, event: TaskEvent): TaskState {
  return fold([event], state);
}

/** The state after all of `events`, starting from `from`, which is left as it was. */
export function fold(events: readonly TaskEvent[], from: TaskState = initialState): TaskState {
  const draft: Draft = { ...from, operations: new Map(from.operations) };
  for (const event of events) {
    draft.version += 1;
    draft.updatedAt = event.at;
    applyLifecycle(draft, event);
    applyOperation(draft, event);
  }
  return draft;
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
      draft.pass = { phase: 'suspended', waitingFor: event.data.waitingFor };
      break;
    case 'PassFailed':
      draft.pass = { phase: 'retrying', retryAt: event.data.retryAt };
      draft.attempt = event.data.attempt + 1;
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
      draft.progressSeq = seq;
      break;
    }
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
      draft.operations.set(key, { kind: 'step', status: 'completed', ...value });
      draft.lostPasses = 0;
      break;
    }
    case 'StepFailed': {
      const { key, retryAt, ...failure } = event.data;
      draft.operations.set(
        key,
        retryAt === undefined ? { kind: 'step', status: 'failed', ...failure } : { kind: 'step', status: 'retrying', ...failure, retryAt },
      );
      draft.lostPasses = 0;
      break;
    }
    case 'InputRequested':
      draft.operations.set(event.data.key, { kind: 'input', status: 'pending', method: event.data.method, params: event.data.params });
      break;
    case 'InputReceived': {
      const pending = draft.operations.get(event.data.key);
      const method = pending?.kind === 'input' ? pending.method : '';
      draft.operations.set(event.data.key, { kind: 'input', status: 'answered', method, answer: event.data.answer });
      break;
    }
    case 'TimerScheduled':
      draft.operations.set(event.data.key, { kind: 'timer', status: 'scheduled', dueAt: event.data.dueAt });
      break;
    case 'TimerFired': {
      const timer = draft.operations.get(event.data.key);
      draft.operations.set(event.data.key, { kind: 'timer', status: 'fired', dueAt: timer?.kind === 'timer' ? timer.dueAt : event.at });
      break;
    }
    default:
  }
}

function end(draft: Draft, at: number, outcome: TaskState['outcome']): void {
  draft.outcome = outcome;
  draft.endedAt = at;
  draft.pass = { phase: 'idle' };
}
