import type { TaskEventType } from '../domain/events.js';
import type { AppendRequest } from './event-store.js';

/** Events after which the client of the task may have to be told something. */
const VISIBLE = new Set<TaskEventType>([
  'StatusReported',
  'ProgressReported',
  'NotificationSent',
  'InputRequested',
  'InputReceived',
  'TaskCompleted',
  'TaskFailed',
  'TaskCancelled',
]);

/** The session whose client can see the append; nothing for implicit tasks, which nobody has a handle of. */
export function visibleTo({ events, projection }: AppendRequest): string | undefined {
  const { sessionId, implicit } = projection.view;
  return implicit !== true && events.some(({ type }) => VISIBLE.has(type)) ? sessionId : undefined;
}
