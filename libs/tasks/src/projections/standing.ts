/**
 * Where a task stands between its worker and its waits, as small as it can be: with the rest of the view it
 * makes a state in which commands from outside a pass (an answer, a cancellation, a deadline, a permanent
 * failure) are decided as in the fold of all events. A history may have 64 MiB; this has some bytes.
 */
import { settlesAt } from '../domain/next-pass.js';
import { initialState, type PassState, type TaskState, type Trials } from '../domain/state.js';
import { MutableOperations } from '../domain/operations.js';
import type { TaskView } from './task-view.js';

/** In a restored state, stands for all that a suspended pass waits for and that settles by itself or has settled. */
const WAKE = '$wake';

/** The part of a task's state that decides on commands from outside. Times are epoch milliseconds. */
export interface Standing {
  readonly pass: number;
  readonly epoch: number;
  readonly phase: PassState['phase'];
  /** Of a running pass. */
  readonly workerId?: string;
  /** Since when a pass runs or is suspended. */
  readonly since?: number;
  /** When a resting task goes on by itself: 0 for at once, absent for never. */
  readonly wakeAt?: number;
  /** Keys of the pending inputs that a suspended pass waits for. */
  readonly asks?: readonly string[];
  /** The attempt number, from the second on. */
  readonly attempt?: number;
  /** Trials that count against the task. */
  readonly trials?: Trials;
  readonly maxRunMs?: number;
  readonly maxWaitMs?: number;
}

/** The standing of a state of at least one event. */
export function standingOf(state: TaskState): Standing {
  const { pass, passNumber, epoch, attempt, operations, task, trials } = state;
  const { maxRunMs, maxWaitMs } = task ?? {};
  const deadlines = { ...(maxRunMs !== undefined && { maxRunMs }), ...(maxWaitMs !== undefined && { maxWaitMs }) };
  const onTrial = trials.together || trials.alone > 0 ? { trials } : {};
  const common = { pass: passNumber, epoch, phase: pass.phase, ...(attempt > 1 && { attempt }), ...onTrial, ...deadlines };
  switch (pass.phase) {
    case 'idle':
      return common;
    case 'running':
      return { ...common, workerId: pass.workerId, since: pass.startedAt };
    case 'retrying':
      return { ...common, wakeAt: pass.retryAt };
    case 'suspended': {
      const asks = pass.waitingFor.filter((key) => operations.get(key)?.status === 'pending');
      const wakeAt = settlesAt(state, pass.waitingFor);
      const optional = { ...(asks.length > 0 && { asks }), ...(Number.isFinite(wakeAt) && { wakeAt }) };
      return { ...common, since: pass.since, ...optional };
    }
  }
}

/**
 * The state that a view stands for, as far as commands from outside a pass ask for it: of the operations it
 * has the pending inputs and what a suspended pass waits for, of the task not its arguments.
 */
export function restore(view: TaskView): TaskState {
  const { tool, owner, accounts, sessionId, ttlMs, pollIntervalMs, progressToken, idempotencyKey, implicit, standing } = view;
  const operations = new MutableOperations();
  for (const { key, method, params } of view.pendingInputs)
    operations.set(key, { kind: 'input', status: 'pending', method, params, since: 0 });
  if (standing.wakeAt !== undefined) operations.set(WAKE, { kind: 'timer', status: 'scheduled', dueAt: standing.wakeAt, since: 0 });
  return {
    ...initialState,
    version: view.version,
    task: {
      tool,
      arguments: {},
      owner,
      ...(accounts !== undefined && { accounts }),
      ...(sessionId !== undefined && { sessionId }),
      client: { generation: view.generation, protocolVersion: view.generation, capabilities: {} },
      ttlMs,
      pollIntervalMs,
      ...(standing.maxRunMs !== undefined && { maxRunMs: standing.maxRunMs }),
      ...(standing.maxWaitMs !== undefined && { maxWaitMs: standing.maxWaitMs }),
      ...(implicit === true && { implicit }),
      ...(progressToken !== undefined && { progressToken }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    },
    createdAt: view.createdAt,
    runStartedAt: view.continuedAt ?? view.createdAt,
    updatedAt: view.updatedAt,
    passNumber: standing.pass,
    pass: passOf(standing),
    epoch: standing.epoch,
    attempt: standing.attempt ?? initialState.attempt,
    trials: standing.trials ?? initialState.trials,
    operations,
    pendingInputs: new Set(view.pendingInputs.map(({ key }) => key)),
    statusMessage: view.statusMessage,
    progress: view.progress,
    progressAt: view.progressAt ?? 0,
    notifiedAt: view.notifiedAt ?? 0,
    ...(view.ending !== undefined && { outcome: { kind: 'cancelled', by: '' }, endedAt: view.endedAt }),
  };
}

function passOf({ phase, workerId = '', since = 0, wakeAt, asks = [] }: Standing): PassState {
  switch (phase) {
    case 'idle':
      return { phase };
    case 'running':
      return { phase, workerId, startedAt: since };
    case 'retrying':
      return { phase, retryAt: wakeAt ?? 0 };
    case 'suspended':
      return { phase, since, waitingFor: wakeAt === undefined ? asks : [...asks, WAKE] };
  }
}
