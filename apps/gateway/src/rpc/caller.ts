import type { Principal, Requester } from '@longhaul/sessions/gateway';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { ANONYMOUS_OWNER, ownerOfSecretHash } from '@longhaul/sessions';
import { addressAccount, type Caller, type CallerAuth } from '@longhaul/tasks';
import { Refusal, RpcCode } from './errors.js';
import { networkOf } from '@longhaul/runtime/network-of';

const LOCAL_ACCOUNT = addressAccount(networkOf(undefined));

/**
 * Finds who makes a request.
 *
 * @throws Refusal 401 for a caller that is not let in, 503 when it cannot be decided
 */
export interface Authenticate {
  (request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method'>): Principal | Promise<Principal>;
  /**
   * Whether only a signature, which is verified here, makes the request's token valid, so that trying cannot find one. The same for the
   * same header, and known before the token is checked. Absent: for no token.
   */
  isSigned?(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): boolean;
}

/** The sender of an accepted request. */
export interface Identity {
  /** Absent if callers need not authenticate. */
  readonly auth?: Principal;
  /** The owner of a caller without a token that is known in another way: by a secret, or as the only user of a socket. */
  readonly namelessOwner?: string;
  /** The scopes that the request needs. */
  readonly neededScopes?: readonly string[];
  /** The account of the request's address. @defaultValue the account of this machine */
  readonly addressAccount?: string;
  /**
   * Resolves when the request has been counted and is within the caller's limit. Rejects with a Refusal 429 if it exceeds the limit, and
   * with `TaskError` `STORE_UNAVAILABLE` when that cannot be decided. Must be awaited before any work for the request. Absent if nothing is
   * counted.
   */
  readonly counted?: (() => Promise<void>) | undefined;
}

/** A caller of tasks, and what its token allows. */
export interface TaskCaller extends Caller {
  /** Absent if callers need not authenticate, and if the gateway itself does the remaining work. */
  readonly auth: Principal | undefined;
  /** The scopes that the request itself needs, to be named together with its task's scopes. */
  readonly neededScopes?: readonly string[] | undefined;
}

/** Converts a requester to a caller of tasks. */
export function taskCallerOf({ owner, auth, neededScopes }: Pick<Requester, 'owner' | 'auth' | 'neededScopes'>): TaskCaller {
  return { owner, auth, neededScopes };
}

/** A request that was let in. */
export type AuthenticatedRequest = IncomingMessage & { -readonly [Name in keyof Identity]: Identity[Name] } & {
  /** Its response. */
  response?: ServerResponse;
  /** Reports that no part of the body is kept any more. It is called at the latest when the response is closed. */
  bodyDone?: () => void;
};

/** The account under which a caller's open streams and sessions are counted: the caller if it is known, otherwise its address. */
export function accountOf({ auth, addressAccount = LOCAL_ACCOUNT }: Identity): string {
  return auth === undefined ? addressAccount : auth.owner;
}

/** The account under which requests are limited; none on a socket that only the user of this machine can open. */
export function accountToLimit(identity: Identity): string | undefined {
  const account = accountOf(identity);
  return account === LOCAL_ACCOUNT ? undefined : account;
}

/** The accounts under which the tasks of an owner are counted, if not under the owner alone. */
export function accountsOfCaller({ auth, addressAccount = LOCAL_ACCOUNT }: Identity, owner: string): readonly string[] | undefined {
  // Only the user of this machine can open the gateway's socket, and that user is no stranger.
  if (auth !== undefined || addressAccount === LOCAL_ACCOUNT) return undefined;
  return owner === ANONYMOUS_OWNER ? [addressAccount] : [owner, addressAccount];
}

/** The caller in the form that features see and tasks record. */
export function callerAuthOf({
  owner: _owner,
  expiresAt: _expiresAt,
  issuedAt: _issuedAt,
  boundTo: _boundTo,
  token: _token,
  whenRevoked: _whenRevoked,
  ...auth
}: Principal): CallerAuth {
  return auth;
}

/** The owner of a request without a session. */
export function callerWithoutSession({ auth, namelessOwner }: Identity): string {
  return auth === undefined ? (namelessOwner ?? ANONYMOUS_OWNER) : auth.owner;
}

/** An anonymous caller repeats this value to show that it is the same one as before. */
export const CALLER_SECRET_HEADER = 'longhaul-caller-secret';

const SECRET = /^[\w.~+/=-]{32,512}$/;

/**
 * The owner for everything that a caller with the secret creates. @throws Refusal 400 for a secret that could be guessed, or that is no
 * header text
 */
export function ownerOfSecret(secret: string | string[] | undefined): string | undefined {
  if (secret === undefined) return undefined;
  if (typeof secret === 'string' && SECRET.test(secret))
    return ownerOfSecretHash(createHash('sha256').update(secret).digest('base64url').slice(0, 22));
  const allowed = 'must have 32 to 512 random letters, digits or any of . _ ~ + / = -';
  throw new Refusal(400, RpcCode.Transport, `Bad Request: ${CALLER_SECRET_HEADER} ${allowed}`);
}
