/** What some events mean for stores: which must be written in every case, and which a client can see. */
import type { TaskEventType } from '../domain/events.js';
import type { AppendRequest } from './event-store.js';
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

/** Events after which the client of the task may have to receive a notification. */
const VISIBLE = new Set<TaskEventType>([
  'StatusReported',
  'ProgressReported',
  'NotificationSent',
  'InputRequested',
  'InputReceived',
  'AnswerRefused',
  'TaskCompleted',
  'TaskFailed',
  'TaskCancelled',
]);

/** The session whose client can see the append; nothing for implicit tasks, which nobody has a handle of. */
export function visibleTo({ events, projection }: AppendRequest): string | undefined {
  const { sessionId, implicit } = projection.view;
  return implicit !== true && events.some(({ type }) => VISIBLE.has(type)) ? sessionId : undefined;
}
