/**
 * How many sessions an account has open, at all gateways together. A place is taken before its session is stored, lasts as long as
 * that does without use, and is put off with it; so one whose process dies in between is free again after that time.
 *
 * Operators read who has which. An account is found by its name, from which its places are known; those of a whole tenant are
 * found among the names of the accounts that tokens stand for, which are kept beside. An address is never kept.
 */
import { hashOf } from '@longhaul/runtime';
import { callerOfOwner } from '@longhaul/tasks';
/** An account as its name is kept; nothing for one that no token stands for, such as an address. */
export function namedAccount(account) {
    return callerOfOwner(account) === undefined ? undefined : account;
}
/** A session as it is shown. */
export function openSession({ id, openedAt, expiresAt }) {
    return { session: hashOf(id), ...(openedAt !== undefined && { openedAt }), expiresAt };
}
//# sourceMappingURL=session-places.js.map