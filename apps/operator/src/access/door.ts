/** Decides who is let in: holders of a token, and browsers in which one of them has logged in. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createFindHolder } from '@longhaul/runtime/tokens';
import type { EndedLogins } from './ended-logins.js';
import type { WrongTokens } from './wrong-tokens.js';

/** The permissions of an operator: to read, or also to change; of another program: to start tools and follow what it has started. */
export type Role = 'read' | 'operate' | 'start';

/** A person or program that operates the deployment. */
export interface Operator {
  readonly name: string;
  readonly role: Role;
  /** Of the role `start`: the only tools that it may start. @defaultValue all tools */
  readonly tools?: readonly string[];
}

/** How long a login lasts. */
export const SESSION_MS = 12 * 3_600_000;

const ID_BYTES = 12;

/** Checks the credentials of a request. */
export interface Door {
  /** @param token unchanged from the request @param address of the sender @throws Refused 429 when too many tokens from there were wrong */
  byToken(token: string, address: string): Operator | undefined;
  /** @param value of the cookie, unchanged @throws TaskError `STORE_UNAVAILABLE` */
  bySession(value: string, now: number): Promise<Operator | undefined>;
  /** The value of a cookie that lets the holder of the token in until the session expires. */
  session(token: string, now: number): string;
  /** Makes the value invalid at every process. @throws TaskError `STORE_UNAVAILABLE` */
  endSession(value: string, now: number): Promise<void>;
}

/** The parts of a door. */
export interface DoorDeps {
  readonly endedLogins: EndedLogins;
  readonly wrongTokens: WrongTokens;
}

/** The content of a cookie. */
interface Login {
  readonly id: string;
  readonly until: string;
}

/**
 * A session is signed with the token itself, so only an ended session needs a store. It is valid at every process that knows the token, and
 * only as long as the token.
 *
 * @param tokens the holder of each token
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
