import { MutableOperations } from '../operations.js';
import { initialState, type PassState, type TaskState } from '../state.js';
import type { Standing } from './standing.js';
import type { TaskView } from './task-view.js';

/** In a restored state, stands for all that a suspended pass waits for and that settles by itself or has settled. */
const WAKE = '$wake';

/**
 * The state that a view stands for, as far as commands from outside a pass ask for it: of the operations it
 * has the pending inputs and what a suspended pass waits for, of the task not its arguments.
 */
export function restore(view: TaskView): TaskState {
  const { tool, owner, accounts, sessionId, ttlMs, pollIntervalMs, progressToken, idempotencyKey, forkedFrom, implicit, standing } = view;
  const operations = new MutableOperations();
  for (const { key, method, params, askedAt = view.updatedAt, refused } of view.pendingInputs)
    operations.set(key, { kind: 'input', status: 'pending', method, params, askedAt, since: 0, ...(refused !== undefined && { refused }) });
  if (standing.wakeAt !== undefined)
    operations.set(WAKE, { kind: 'timer', status: 'scheduled', dueAt: standing.wakeAt, setAt: view.updatedAt, since: 0 });
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
      ...(forkedFrom !== undefined && { forkedFrom }),
      ...(view.trace !== undefined && { trace: view.trace }),
      ...(view.traceState !== undefined && { traceState: view.traceState }),
    },
    createdAt: view.createdAt,
    runStartedAt: view.continuedAt ?? view.createdAt,
    updatedAt: view.updatedAt,
    passNumber: standing.pass,
    pass: passOf(standing),
    workerVersion: view.workerVersion,
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
