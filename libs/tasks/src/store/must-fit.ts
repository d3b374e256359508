import type { TaskEventType } from '../domain/events.js';
import type { StoredEvent } from './stored-event.js';

/**
 * Events without which a task can neither end nor rest nor go on at another worker. All but results, answers and
 * the arguments of a continued task are small; those are bounded.
 */
const MUST_FIT = new Set<TaskEventType>([
  'PassStarted',
  'PassSuspended',
  'PassFailed',
  'TimerFired',
  'InputReceived',
  'TaskContinued',
  'TaskCompleted',
  'TaskFailed',
  'TaskCancelled',
]);

/** Whether the events have to be appended even when Redis is out of memory. */
export function mustFit(events: readonly StoredEvent[]): boolean {
  return events.some(({ type }) => MUST_FIT.has(type));
}
