import type { PassState, TaskState } from './state.js';
import { dueAt, isSettled, type Operation } from './operation-kinds.js';
import { type Milliseconds, wholeMs } from './milliseconds.js';

type Suspended = PassState & { readonly phase: 'suspended' };

/** The pass that somebody must enqueue, and when it may start (epoch milliseconds; 0 for at once). */
export interface NextPass {
  readonly pass: number;
  readonly dueAt: Milliseconds;
  /** It may start before: it only waits for more children to end. So clocks that differ do not hold it up. */
  readonly mayBeEarly?: true;
}

/** Whether the pass may start. */
export function mayStart({ dueAt, mayBeEarly }: NextPass, now: number): boolean {
  return mayBeEarly === true || dueAt <= now;
}

/**
 * Decides when the next pass is due; no other code does. The process that appends an event calls this with the state after it and enqueues
 * the returned pass. So an answer that arrives while a pass is still suspending is not lost, and no pass starts while one is running.
 *
 * @returns `undefined` when the task has ended, is running, or waits for something without a time.
 */
export function nextPass(state: TaskState): NextPass | undefined {
  if (state.version === 0 || state.outcome !== undefined) return undefined;
  const pass = state.passNumber + 1;
  switch (state.pass.phase) {
    case 'running':
      return undefined;
    case 'idle':
      return { pass, dueAt: wholeMs(0) };
    case 'retrying':
      return { pass, dueAt: wholeMs(state.pass.retryAt) };
    case 'suspended': {
      const dueAt = settlesAt(state, state.pass);
      if (!Number.isFinite(dueAt)) return undefined;
      return { pass, dueAt: wholeMs(dueAt), ...(isPatient(state, state.pass) && { mayBeEarly: true }) };
    }
  }
}

/**
 * When a suspended pass continues by itself: 0 when one of its waits has settled or when there is none, infinity when only others can settle
 * them.
 */
export function settlesAt(state: TaskState, pass: Suspended): number {
  const { waitingFor, patience } = pass;
  if (waitingFor.length === 0) return 0;
  const more = patience !== undefined && state.openChildren.size > patience.open ? patience.ms : 0;
  return waitingFor.reduce(
    (earliest, key) => Math.min(earliest, settlementTime(state.operations.get(key), more)),
    Number.POSITIVE_INFINITY,
  );
}

/** @param more how long to wait for more children when one has ended, milliseconds */
function settlementTime(operation: Operation | undefined, more: number): number {
  if (!isSettled(operation)) return dueAt(operation);
  return more > 0 && operation?.status === 'ended' ? operation.endedAt + more : 0;
}

/** Whether children that have ended are the only reason for the next pass. */
function isPatient({ operations, openChildren }: TaskState, { waitingFor, patience }: Suspended): boolean {
  if (patience === undefined || openChildren.size <= patience.open) return false;
  return waitingFor.some((key) => operations.get(key)?.status === 'ended');
}
