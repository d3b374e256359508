/** What goes with a session: the values that it holds, its place among those of its caller, and the records of a caller who is nobody but this session. */
import { type Milliseconds, ownerOfAnonymousSession } from '@longhaul/tasks';
import type { Backend } from '../backend.js';

type Belongings = Pick<Backend, 'sessionState' | 'ownerRecords' | 'sessionPlaces'>;

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
