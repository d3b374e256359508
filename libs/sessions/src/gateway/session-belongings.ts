/** What goes with a session: the values that it holds, its place among those of its caller, and the records of a caller who is nobody but this session. */
import { type Milliseconds, ownerOfAnonymousSession } from '@longhaul/tasks';
import type { OwnerRecords } from '../ports/owner-records.js';
import type { SessionPlaces } from '../ports/session-places.js';
import type { SessionState } from '../ports/session-state.js';

/** Where they are kept. */
export interface Belongings {
  readonly sessionState: SessionState;
  readonly ownerRecords: OwnerRecords;
  readonly sessionPlaces: SessionPlaces;
}

/** Keeps them for so long from now, milliseconds. */
export async function keepBelongings(
  { sessionState, ownerRecords, sessionPlaces }: Belongings,
  sessionId: string,
  ms: Milliseconds,
): Promise<void> {
  const records = ownerRecords.keep(ownerOfAnonymousSession(sessionId), ms);
  await Promise.all([sessionState.keep(sessionId, ms), records, sessionPlaces.keep(sessionId, ms)]);
}

export async function clearBelongings({ sessionState, ownerRecords, sessionPlaces }: Belongings, sessionId: string): Promise<void> {
  const records = ownerRecords.clear(ownerOfAnonymousSession(sessionId));
  await Promise.all([sessionState.clear(sessionId), records, sessionPlaces.release(sessionId)]);
}
