/** Answers the stores' questions about the events that they append. */
import { kindOf } from '../domain/event-kinds.js';
import type { AppendRequest } from './event-store.js';
import type { StoredEvent } from './stored-event.js';

/** Whether the events must be appended even when Redis is out of memory. */
export function mustFit(events: readonly StoredEvent[]): boolean {
  return events.some(({ type }) => kindOf(type)?.mustFit === true);
}

/** The session of the client that can see the append; nothing for implicit tasks, because no client has a handle of them. */
export function visibleTo({ events, projection }: AppendRequest): string | undefined {
  const { sessionId, implicit } = projection.view;
  return implicit !== true && events.some(({ type }) => kindOf(type)?.isVisible === true) ? sessionId : undefined;
}
