/** Who is let in: holders of a token, and browsers in which one of them has logged in. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createFindHolder } from '@longhaul/runtime/tokens';

/** What somebody may do: look, or change things too. */
export type Role = 'read' | 'operate';

/** Somebody who operates the deployment. */
export interface Operator {
  readonly name: string;
  readonly role: Role;
}

/** How long a login lasts. */
export const SESSION_MS = 12 * 3_600_000;

/** Looks at what a request shows. */
export interface Door {
  /** @param token as it came */
  byToken(token: string): Operator | undefined;
  /** @param value of the cookie, as it came */
  bySession(value: string, now: number): Operator | undefined;
  /** The value of a cookie with which the holder of the token is let in until the session is over. */
  session(token: string, now: number): string;
}

/**
 * A session is signed with the token itself, so it needs no store, holds at every process that knows the token, and ends with it.
 *
 * @param tokens who holds them
 */
export function createDoor(tokens: ReadonlyMap<string, Operator>): Door {
  const known = [...tokens].map(([token, operator]) => ({ token, operator }));
  return {
    byToken: createFindHolder(tokens),
    bySession(value, now) {
      const [until = '', signature = ''] = value.split('.');
      const given = Buffer.from(signature, 'base64url');
      const isSignedWith = (token: string): boolean => {
        const expected = signatureOf(token, until);
        return given.length === expected.length && timingSafeEqual(given, expected);
      };
      const signer = known.reduce<Operator | undefined>(
        (found, { token, operator }) => (isSignedWith(token) ? operator : found),
        undefined,
      );
      return Number(until) > now ? signer : undefined;
    },
    session(token, now) {
      const until = String(now + SESSION_MS);
      return `${until}.${signatureOf(token, until).toString('base64url')}`;
    },
  };
}

function signatureOf(token: string, until: string): Buffer {
  return createHmac('sha256', token).update(`longhaul operator session ${until}`).digest();
}
