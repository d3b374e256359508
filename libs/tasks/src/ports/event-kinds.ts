/** What stores ask of the events that they are given. */
import { kindOf } from '../domain/event-kinds.js';
import type { AppendRequest } from './event-store.js';
import type { StoredEvent } from './stored-event.js';

/** Whether the events have to be appended even when Redis is out of memory. */
export function mustFit(events: readonly StoredEvent[]): boolean {
  return events.some(({ type }) => kindOf(type)?.mustFit === true);
}

/** The session whose client can see the append; nothing for implicit tasks, which nobody has a handle of. */
export function visibleTo({ events, projection }: AppendRequest): string | undefined {
  const { sessionId, implicit } = projection.view;
  return implicit !== true && events.some(({ type }) => kindOf(type)?.isVisible === true) ? sessionId : undefined;
}
