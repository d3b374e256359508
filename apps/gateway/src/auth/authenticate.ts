import type { IncomingMessage } from 'node:http';
import { addressAccount } from '@longhaul/tasks';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { networkOf } from './network-of.js';

/** Whose the tasks of requests are that belong to no session and of whose callers nothing is known. Limits do not count under it: it is everybody. */
export const ANONYMOUS_OWNER = 'anonymous';

const LOCAL_ACCOUNT = addressAccount(networkOf(undefined));

/**
 * Finds out who makes a request.
 *
 * @param authorization the header of that name
 * @throws Refusal 401 for one who is not let in
 */
export type Authenticate = (authorization: string | undefined) => AuthInfo;

/** Who makes a request that has been let in. */
export interface Identity {
  /** Absent where nobody has to say who they are. */
  readonly auth?: AuthInfo;
  /** The account of the address that the request comes from. @defaultValue that of this machine */
  readonly addressAccount?: string;
}

/** A request that has been let in. */
export type AuthenticatedRequest = IncomingMessage & { -readonly [Name in keyof Identity]: Identity[Name] };

/** Whom the limits count what a caller opens: the caller if it is known, otherwise its address. */
export function accountOf({ auth, addressAccount = LOCAL_ACCOUNT }: Identity): string {
  return auth === undefined ? addressAccount : ownerOf(auth);
}

/** Under whom the tasks of an owner are counted, if not under the owner alone. */
export function accountsOf({ auth, addressAccount = LOCAL_ACCOUNT }: Identity, owner: string): readonly string[] | undefined {
  if (auth !== undefined) return undefined;
  return owner === ANONYMOUS_OWNER ? [addressAccount] : [owner, addressAccount];
}

/** Who owns what a known caller creates, in whatever session and generation of the protocol. */
export function ownerOf({ clientId }: AuthInfo): string {
  return `user:${clientId}`;
}
