import { accountOf, type Identity } from '../rpc/caller.js';
import { refusalOf, tooManySessions } from '../rpc/errors.js';
import type { RateStore } from '../state/rate-store.js';

const HOUR_MS = 3_600_000;

/** A session that is described by more than this counts as several. */
const BYTES_OF_ONE = 1_024;

/**
 * Counts a session of which so many bytes are kept.
 *
 * @throws Refusal 429 when its caller, or the address of a caller that nobody knows, has opened too many
 */
export type AdmitSession = (caller: Identity, bytes: number) => Promise<void>;

/** @param perHourOf how many sessions an account may open in an hour */
export function createAdmitSession(rates: RateStore, perHourOf: (account: string) => number): AdmitSession {
  return async (caller, bytes) => {
    const account = accountOf(caller);
    const perHour = perHourOf(account);
    const count = 1 + Math.floor(bytes / BYTES_OF_ONE);
    const retryAfterMs = await rates.take({ what: 'sessions', account }, count, { limit: perHour, perMs: HOUR_MS });
    if (retryAfterMs > 0) throw refusalOf(tooManySessions(perHour, retryAfterMs));
  };
}
