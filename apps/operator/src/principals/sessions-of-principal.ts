/** Finds the open sessions of callers, from the identities in their tokens. */
import type { OpenSession, RevokedPrincipal, SessionSlots } from '@longhaul/sessions';
import { isOf, ownersOf } from './owners-of-principal.js';

/** The most sessions that are listed: an issuer may have any number. */
const MAX_SESSIONS = 1_000;
/** Owners that are looked up at the same time. */
const AT_ONCE = 50;

type Places = Pick<SessionSlots, 'openOf' | 'accounts'>;

/** A session and its owner. */
export interface HeldSession {
  readonly owner: string;
  readonly open: OpenSession;
}

/** The sessions of callers. */
export interface HeldSessions {
  readonly count: number;
  /** The first 1,000 sessions: for each owner, the most recently used first. */
  readonly sessions: readonly HeldSession[];
  /** The owners with sessions. */
  readonly owners: readonly string[];
}

/**
 * Counts the open sessions of callers. If the owners are known, only their accounts are read; for a tenant or an issuer, all accounts are
 * searched.
 */
export async function heldSessions(places: Places, principal: RevokedPrincipal): Promise<HeldSessions> {
  const asked = ownersOf(principal) ?? (await accountsOf(places, principal));
  let count = 0;
  const sessions: HeldSession[] = [];
  const owners: string[] = [];
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const room = MAX_SESSIONS - sessions.length;
    const found = await Promise.all(asked.slice(at, at + AT_ONCE).map((owner) => sessionsOf(places, owner, room)));
    for (const open of found.filter((one) => one.count > 0)) {
      count += open.count;
      owners.push(open.owner);
      sessions.push(...open.sessions);
    }
    sessions.splice(MAX_SESSIONS);
  }
  return { count, sessions, owners };
}

/** @param most the number of sessions to list */
export async function sessionsOf(places: Places, owner: string, most: number) {
  const { count, sessions } = await places.openOf(owner, most);
  return { owner, count, sessions: sessions.map((open): HeldSession => ({ owner, open })) };
}

async function accountsOf(places: Places, principal: RevokedPrincipal): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const account of places.accounts()) if (isOf(account, principal)) found.add(account);
  return [...found].toSorted();
}
