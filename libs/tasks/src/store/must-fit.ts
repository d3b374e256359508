import type { TaskEvent, TaskEventType } from '../domain/events.js';

/**
 * Events without which a task can neither end nor rest nor go on at another worker. All but results and answers
 * are small; those are bounded.
 */
const MUST_FIT = new Set<TaskEventType>([
  'PassStarted',
  'PassSuspended',
  'PassFailed',
  'TimerFired',
  'InputReceived',
  'TaskCompleted',
  'TaskFailed',
  'TaskCancelled',
]);

/** Whether the events have to be appended even when Redis is out of memory. */
export function mustFit(events: readonly TaskEvent[]): boolean {
  return events.some(({ type }) => MUST_FIT.has(type));
}
