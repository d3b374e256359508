/**
 * Counts the open sessions of an account, at all gateways together. A place is taken before its session is stored. It lasts as long as an
 * unused session, and is extended with it; so if a process dies in between, the place is free again after that time.
 *
 * Operators read which account has which sessions. An account is found by its name, which leads to its places. The accounts of a whole
 * tenant are found in a list of the accounts that tokens stand for, which is kept separately. An address is never kept.
 */
import { hashOf } from '@longhaul/runtime';
import { callerOfOwner, type Milliseconds } from '@longhaul/tasks';

/** An open session, as seen by others than its client. */
export interface OpenSession {
  /** A hash of its id, as traces have it: the id itself may be enough to use the session. */
  readonly session: string;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  /** When it expires unless it is used, epoch milliseconds. */
  readonly expiresAt: number;
}

/** The open sessions of an account. */
export interface OpenSessions {
  readonly count: number;
  /** At most as many as requested, the most recently used first. */
  readonly sessions: readonly OpenSession[];
}

/** All methods reject with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface SessionSlots {
  /** Takes a place for a session. @returns false when the account has that many already */
  take(account: string, sessionId: string, limit: number): Promise<boolean>;
  /** Keeps the place of a session for this long from now, milliseconds; does nothing if it has none. */
  keep(sessionId: string, ms: Milliseconds): Promise<void>;
  /** Frees the place of a session. */
  release(sessionId: string): Promise<void>;
  /** The open sessions of an account. @param most how many sessions are listed */
  openOf(account: string, most: number): Promise<OpenSessions>;
  /**
   * Lists accounts that tokens stand for and that have open sessions. An account may come more than once, and one that has just ended its
   * last session may come too.
   */
  accounts(): AsyncIterable<string>;
}

/** The account of a kept name; nothing if no token stands for the account, as for an address. */
export function namedAccount(account: string): string | undefined {
  return callerOfOwner(account) === undefined ? undefined : account;
}

/** A session in the form that operators see. */
export function openSession({ id, openedAt, expiresAt }: Omit<OpenSession, 'session'> & { readonly id: string }): OpenSession {
  return { session: hashOf(id), openedAt, expiresAt };
}
