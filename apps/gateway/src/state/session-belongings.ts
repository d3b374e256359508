/** What goes with a session: the values that it holds, and the records of a caller who is nobody but this session. */
import { type Backend, ownerOfAnonymousSession } from '@longhaul/sessions';

type Belongings = Pick<Backend, 'sessionState' | 'ownerRecords'>;

/** Keeps them for so long from now, milliseconds. */
export async function keepBelongings({ sessionState, ownerRecords }: Belongings, sessionId: string, ms: number): Promise<void> {
  await Promise.all([sessionState.keep(sessionId, ms), ownerRecords.keep(ownerOfAnonymousSession(sessionId), ms)]);
}

export async function clearBelongings({ sessionState, ownerRecords }: Belongings, sessionId: string): Promise<void> {
  await Promise.all([sessionState.clear(sessionId), ownerRecords.clear(ownerOfAnonymousSession(sessionId))]);
}
