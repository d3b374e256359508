import { nextDeadline } from './next-deadline.js';
import { nextPass, type NextPass } from './next-pass.js';
import type { TaskState } from './state.js';

/**
 * When somebody must look whether a deadline of a resting task has passed; nothing when the next pass
 * comes earlier and will look itself, or when a pass runs and its worker keeps the time.
 */
export function alarmOf(state: TaskState): NextPass | undefined {
  if (state.pass.phase !== 'suspended' && state.pass.phase !== 'retrying') return undefined;
  const deadline = nextDeadline(state);
  const next = nextPass(state);
  if (deadline === undefined || (next !== undefined && next.dueAt <= deadline.at)) return undefined;
  return { pass: state.passNumber + 1, dueAt: deadline.at };
}
