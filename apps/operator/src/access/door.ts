/** Who is let in: holders of a token, and browsers in which one of them has logged in. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createFindHolder } from '@longhaul/runtime/tokens';
import type { EndedLogins } from './ended-logins.js';
import type { WrongTokens } from './wrong-tokens.js';

/** What somebody may do: look, or change things too. */
export type Role = 'read' | 'operate';

/** Somebody who operates the deployment. */
export interface Operator {
  readonly name: string;
  readonly role: Role;
}

/** How long a login lasts. */
export const SESSION_MS = 12 * 3_600_000;

const ID_BYTES = 12;

/** Looks at what a request shows. */
export interface Door {
  /** @param token as it came @param address where it came from @throws Refused 429 when too many from there were wrong */
  byToken(token: string, address: string): Operator | undefined;
  /** @param value of the cookie, as it came @throws TaskError `STORE_UNAVAILABLE` */
  bySession(value: string, now: number): Promise<Operator | undefined>;
  /** The value of a cookie with which the holder of the token is let in until the session is over. */
  session(token: string, now: number): string;
  /** Lets nobody in with that value any more, at any process. @throws TaskError `STORE_UNAVAILABLE` */
  endSession(value: string, now: number): Promise<void>;
}

/** What a door needs. */
export interface DoorDeps {
  readonly endedLogins: EndedLogins;
  readonly wrongTokens: WrongTokens;
}

/** What is written in a cookie. */
interface Login {
  readonly id: string;
  readonly until: string;
}

/**
 * A session is signed with the token itself, so only one that was ended needs a store; it holds at every process that knows the token, and
 * ends with it.
 *
 * @param tokens who holds them
 */
export function createDoor(tokens: ReadonlyMap<string, Operator>, { endedLogins, wrongTokens }: DoorDeps): Door {
  const known = [...tokens].map(([token, operator]) => ({ token, operator }));
  const findHolder = createFindHolder(tokens);
  const signedBy = (value: string, now: number): (Login & { readonly operator: Operator }) | undefined => {
    const [id = '', until = '', signature = ''] = value.split('.');
    const given = Buffer.from(signature, 'base64url');
    const isSignedWith = (token: string): boolean => {
      const expected = signatureOf(token, { id, until });
      return given.length === expected.length && timingSafeEqual(given, expected);
    };
    const operator = known.reduce<Operator | undefined>(
      (found, { token, operator: holder }) => (isSignedWith(token) ? holder : found),
      undefined,
    );
    return operator !== undefined && Number(until) > now ? { id, until, operator } : undefined;
  };
  return {
    byToken: (token, address) => wrongTokens.look(address, () => findHolder(token)),
    async bySession(value, now) {
      const login = signedBy(value, now);
      return login === undefined || (await endedLogins.has(login.id)) ? undefined : login.operator;
    },
    session(token, now) {
      const login = { id: randomBytes(ID_BYTES).toString('base64url'), until: String(now + SESSION_MS) };
      return `${login.id}.${login.until}.${signatureOf(token, login).toString('base64url')}`;
    },
    async endSession(value, now) {
      const login = signedBy(value, now);
      if (login !== undefined) await endedLogins.end(login.id, Number(login.until), now);
    },
  };
}

function signatureOf(token: string, { id, until }: Login): Buffer {
  return createHmac('sha256', token).update(`longhaul operator session ${id} ${until}`).digest();
}
