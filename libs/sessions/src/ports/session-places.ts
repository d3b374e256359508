/**
 * How many sessions an account has open, at all gateways together. A place is taken before its session is stored, lasts as long as
 * that does without use, and is put off with it; so one whose process dies in between is free again after that time.
 *
 * Operators read who has which. An account is found by its name, from which its places are known; those of a whole tenant are
 * found among the names of the accounts that tokens stand for, which are kept beside. An address is never kept.
 */
import { hashOf } from '@longhaul/runtime';
import { callerOfOwner, type Milliseconds } from '@longhaul/tasks';

/** A session that is open, as others than its client see it. */
export interface OpenSession {
  /** A hash of its id, as traces have it: the id itself may be all that it takes to use the session. */
  readonly session: string;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  /** When it is over unless somebody uses it, epoch milliseconds. */
  readonly expiresAt: number;
}

/** What an account has open. */
export interface OpenSessions {
  readonly count: number;
  /** As many as were asked for, those that were used last before the others. */
  readonly sessions: readonly OpenSession[];
}

/** All methods reject with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface SessionPlaces {
  /** Takes a place for a session. @returns false when the account has as many */
  take(account: string, sessionId: string, limit: number): Promise<boolean>;
  /** Keeps the place of a session for so long from now, milliseconds; nothing if it has none. */
  keep(sessionId: string, ms: Milliseconds): Promise<void>;
  /** Frees the place of a session. */
  release(sessionId: string): Promise<void>;
  /** What an account has open. @param most sessions that are wanted one by one */
  openOf(account: string, most: number): Promise<OpenSessions>;
  /**
   * Accounts that tokens stand for and that have sessions open. One may come more than once, and one may come that has just
   * ended its last session.
   */
  accounts(): AsyncIterable<string>;
}

/** An account as its name is kept; nothing for one that no token stands for, such as an address. */
export function namedAccount(account: string): string | undefined {
  return callerOfOwner(account) === undefined ? undefined : account;
}

/** A session as it is shown. */
export function openSession({ id, openedAt, expiresAt }: Omit<OpenSession, 'session'> & { readonly id: string }): OpenSession {
  return { session: hashOf(id), openedAt, expiresAt };
}
