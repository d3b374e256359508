import { nextDeadline } from './next-deadline.js';
import { nextPass } from './next-pass.js';
import type { TaskState } from './state.js';
import { type Milliseconds, wholeMs } from './milliseconds.js';

/** How long a task may continue without a look at it, milliseconds. */
export interface LookDelays {
  /** From when a pass is due: a healthy dispatch and claim take less. */
  readonly dueMs: number;
  /** While a pass runs. */
  readonly runningMs: number;
}

/** No unfinished task goes without a look for longer, in any state. */
export const LONGEST_LOOK_MS = 3_600_000;

/** A pass that is due at a later time, such as after a timer, is dispatched by then; this much later it is looked for. */
export const DUE_GRACE_MS = 5_000;

/**
 * The milliseconds until a process must look, at the latest, whether the task continues by itself: its job may be lost, or its worker, or
 * its deadline may pass.
 *
 * @returns infinity for a task that does not exist or has ended
 */
export function nextLook(state: TaskState, now: number, { dueMs, runningMs }: LookDelays): Milliseconds {
  if (state.version === 0 || state.outcome !== undefined) return wholeMs(Number.POSITIVE_INFINITY);
  const deadline = nextDeadline(state)?.at ?? Number.POSITIVE_INFINITY;
  const byItself = state.pass.phase === 'running' ? runningMs : restsFor(state, now, dueMs);
  return wholeMs(Math.min(Math.max(0, deadline - now), byItself, LONGEST_LOOK_MS));
}

function restsFor(state: TaskState, now: number, dueMs: number): number {
  const dueAt = nextPass(state)?.dueAt ?? Number.POSITIVE_INFINITY;
  return dueAt <= now ? dueMs : dueAt - now + DUE_GRACE_MS;
}
