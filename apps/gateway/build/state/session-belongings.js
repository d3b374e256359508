/** What goes with a session: the values that it holds, its place among those of its caller, and the records of a caller who is nobody but this session. */
import { ownerOfAnonymousSession } from '@longhaul/sessions';
/** Keeps them for so long from now, milliseconds. */
export async function keepBelongings({ sessionState, ownerRecords, sessionPlaces }, sessionId, ms) {
    const records = ownerRecords.keep(ownerOfAnonymousSession(sessionId), ms);
    await Promise.all([sessionState.keep(sessionId, ms), records, sessionPlaces.keep(sessionId, ms)]);
}
export async function clearBelongings({ sessionState, ownerRecords, sessionPlaces }, sessionId) {
    const records = ownerRecords.clear(ownerOfAnonymousSession(sessionId));
    await Promise.all([sessionState.clear(sessionId), records, sessionPlaces.release(sessionId)]);
}
//# sourceMappingURL=session-belongings.js.map