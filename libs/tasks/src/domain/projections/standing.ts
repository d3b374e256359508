/**
 * Where a task stands between its worker and its waits, as small as it can be: with the rest of the view it
 * makes a state in which commands from outside a pass (an answer, a cancellation, a deadline, a permanent
 * failure) are decided as in the fold of all events. A history may have 64 MiB; this has some bytes.
 */
import { settlesAt } from '../next-pass.js';
import type { PassState, TaskState, Trials } from '../state.js';

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
