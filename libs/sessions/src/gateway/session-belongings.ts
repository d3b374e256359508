/**
 * Manages the data that lives as long as a session: the values that it holds, its place among the sessions of its caller, and the records
 * of a caller that is identified only by this session.
 */
import { type Milliseconds, ownerOfAnonymousSession } from '@longhaul/tasks';
import type { OwnerRecords } from '../ports/owner-records.js';
import type { SessionSlots } from '../ports/session-slots.js';
import type { SessionState } from '../ports/session-state.js';

/** The stores of this data. */
export interface Belongings {
  readonly sessionState: SessionState;
  readonly ownerRecords: OwnerRecords;
  readonly sessionSlots: SessionSlots;
}

/** Keeps the data for this long from now, milliseconds. */
export async function keepBelongings(
  { sessionState, ownerRecords, sessionSlots }: Belongings,
  sessionId: string,
  ms: Milliseconds,
): Promise<void> {
  const records = ownerRecords.keep(ownerOfAnonymousSession(sessionId), ms);
  await Promise.all([sessionState.keep(sessionId, ms), records, sessionSlots.keep(sessionId, ms)]);
}

export async function clearBelongings({ sessionState, ownerRecords, sessionSlots }: Belongings, sessionId: string): Promise<void> {
  const records = ownerRecords.clear(ownerOfAnonymousSession(sessionId));
  await Promise.all([sessionState.clear(sessionId), records, sessionSlots.release(sessionId)]);
}
