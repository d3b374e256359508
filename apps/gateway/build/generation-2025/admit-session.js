import { accountOf } from '../rpc/caller.js';
import { refusalOf, tooManyOpenSessions, tooManySessions } from '../rpc/errors.js';
const HOUR_MS = 3_600_000;
/** A session that is described by more than this counts as several in its hour. */
const BYTES_OF_ONE = 1_024;
export function createAdmitSession({ rates, sessionPlaces }, limitsOf) {
    return async (caller, sessionId, bytes) => {
        const account = accountOf(caller);
        const { perHour, open } = limitsOf(account);
        const count = 1 + Math.floor(bytes / BYTES_OF_ONE);
        const retryAfterMs = await rates.take({ what: 'sessions', account }, count, { limit: perHour, perMs: HOUR_MS });
        if (retryAfterMs > 0)
            throw refusalOf(tooManySessions(perHour, retryAfterMs));
        if (!(await sessionPlaces.take(account, sessionId, open)))
            throw refusalOf(tooManyOpenSessions(open));
    };
}
//# sourceMappingURL=admit-session.js.map