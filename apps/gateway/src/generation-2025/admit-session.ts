import type { RateStore } from '@longhaul/sessions/gateway';
import type { SessionSlots } from '@longhaul/sessions';
import { accountOf, type Identity } from '../rpc/caller.js';
import { refusalOf, tooManyOpenSessions, tooManySessions } from '../rpc/errors.js';

const HOUR_MS = 3_600_000;

/** A session with a longer description counts as several sessions in its hour. */
const BYTES_OF_ONE = 1_024;

/**
 * Counts a session with this many bytes, and takes a slot for it.
 *
 * @throws Refusal 429 when its caller, or the address of an anonymous caller, has opened too many, or has too many open
 */
export type AdmitSession = (caller: Identity, sessionId: string, bytes: number) => Promise<void>;

/** The session limits of an account. */
export interface SessionLimits {
  /** Opened in an hour. */
  readonly perHour: number;
  /** Open at the same time. */
  readonly open: number;
}

/** The stores that count sessions. */
export interface AdmitSessionDeps {
  readonly rates: RateStore;
  readonly sessionSlots: Pick<SessionSlots, 'take'>;
}

export function createAdmitSession({ rates, sessionSlots }: AdmitSessionDeps, limitsOf: (account: string) => SessionLimits): AdmitSession {
  return async (caller, sessionId, bytes) => {
    const account = accountOf(caller);
    const { perHour, open } = limitsOf(account);
    const count = 1 + Math.floor(bytes / BYTES_OF_ONE);
    const retryAfterMs = await rates.take({ what: 'sessions', account }, count, { limit: perHour, perMs: HOUR_MS });
    if (retryAfterMs > 0) throw refusalOf(tooManySessions(perHour, retryAfterMs));
    if (!(await sessionSlots.take(account, sessionId, open))) throw refusalOf(tooManyOpenSessions(open));
  };
}
