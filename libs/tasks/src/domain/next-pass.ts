import { type TaskState } from './state.js';
import { dueAt, isSettled, type Operation } from './operation-kinds.js';
import { type Milliseconds, wholeMs } from './milliseconds.js';

/** The pass that somebody must enqueue, and when it may start (epoch milliseconds; 0 for at once). */
export interface NextPass {
  readonly pass: number;
  readonly dueAt: Milliseconds;
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
      const dueAt = settlesAt(state, state.pass.waitingFor);
      return Number.isFinite(dueAt) ? { pass, dueAt: wholeMs(dueAt) } : undefined;
    }
  }
}

/** When the first of the operations settles: 0 when one has or when there is none, infinity when only others can settle them. */
export function settlesAt(state: TaskState, keys: readonly string[]): number {
  if (keys.length === 0) return 0;
  return keys.reduce((earliest, key) => Math.min(earliest, settlementTime(state.operations.get(key))), Number.POSITIVE_INFINITY);
}

function settlementTime(operation: Operation | undefined): number {
  return isSettled(operation) ? 0 : dueAt(operation);
}
