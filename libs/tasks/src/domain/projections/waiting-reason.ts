/** Says why a task does not continue at this moment, from its view. */
import type { TaskView } from './task-view.js';

/** The reason why an unfinished task waits. Times are epoch milliseconds. */
export type WaitingReason =
  /** Its client has to answer; `until` says when it continues without, if it does. */
  | { readonly for: 'question'; readonly keys: readonly string[]; readonly since: number; readonly until?: number }
  /** Tasks that it has called have to end; `until` says when it continues without, if it does. */
  | { readonly for: 'child'; readonly keys: readonly string[]; readonly since: number; readonly until?: number }
  /** A signal has to come; `until` says when it continues without, if it does. */
  | { readonly for: 'signal'; readonly names: readonly string[]; readonly since: number; readonly until?: number }
  /** It waits for the time of a timer, or of a step's next try. */
  | { readonly for: 'timer'; readonly until: number; readonly since: number }
  /** Its workflow has thrown, and begins again then. */
  | { readonly for: 'retry'; readonly until: number; readonly attempt: number }
  /** Processes that ran it have died. A worker has it, and no process to try it in yet. */
  | { readonly for: 'trial'; readonly since: number }
  /** It could continue, and no worker has taken it. */
  | { readonly for: 'queue'; readonly since: number }
  /** A worker runs it. */
  | { readonly for: 'worker'; readonly workerId: string; readonly since: number; readonly version?: string };

/** Calls that one reason names. */
const MAX_NAMED = 20;

/**
 * Says why the task of the view waits.
 *
 * @param waitsForTrialSince as its worker says; its view does not have it
 * @returns nothing for a task that has ended, or waits for what only a later version knows
 */
export function waitingReasonOf(view: TaskView, now: number, waitsForTrialSince?: number): WaitingReason | undefined {
  const { standing, ending, updatedAt, workerVersion, pendingInputs, children = [], signals } = view;
  if (ending !== undefined) return undefined;
  if (waitsForTrialSince !== undefined) return { for: 'trial', since: waitsForTrialSince };
  const { phase, since = updatedAt, wakeAt, asks = [], attempt = 1, workerId = '' } = standing;
  const questions = asks.filter((key) => pendingInputs.some((input) => input.key === key));
  const called = asks.filter((key) => children.some((child) => child.key === key));
  const names = (signals?.awaited ?? []).filter(({ key }) => asks.includes(key)).flatMap(({ names: wanted }) => wanted);
  switch (phase) {
    case 'idle':
      return { for: 'queue', since: updatedAt };
    case 'running':
      return { for: 'worker', workerId, since, ...(workerVersion !== undefined && { version: workerVersion }) };
    case 'retrying':
      return wakeAt !== undefined && wakeAt > now ? { for: 'retry', until: wakeAt, attempt } : { for: 'queue', since: wakeAt ?? updatedAt };
    case 'suspended':
      if (wakeAt !== undefined && wakeAt <= now) return { for: 'queue', since: Math.max(wakeAt, since) };
      if (questions.length > 0) return { for: 'question', keys: questions, since, ...(wakeAt !== undefined && { until: wakeAt }) };
      if (called.length > 0)
        return { for: 'child', keys: called.slice(0, MAX_NAMED), since, ...(wakeAt !== undefined && { until: wakeAt }) };
      if (names.length > 0) return { for: 'signal', names, since, ...(wakeAt !== undefined && { until: wakeAt }) };
      return wakeAt === undefined ? undefined : { for: 'timer', until: wakeAt, since };
  }
}
