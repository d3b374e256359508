import type { Principal, Requester } from '@longhaul/sessions/gateway';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { ANONYMOUS_OWNER, ownerOfSecretHash } from '@longhaul/sessions';
import { addressAccount, type Caller, type CallerAuth } from '@longhaul/tasks';
import { Refusal, RpcCode } from './errors.js';
import { networkOf } from '@longhaul/runtime/network-of';

const LOCAL_ACCOUNT = addressAccount(networkOf(undefined));

/**
 * Finds out who makes a request.
 *
 * @throws Refusal 401 for one who is not let in, 503 while nobody can say
 */
export interface Authenticate {
  (request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method'>): Principal | Promise<Principal>;
  /**
   * Whether nothing but a signature, which is verified here, makes the token of a request a good one, so that none is found by trying.
   * The same for the same header, and before it is known whether the token is good. Absent: for none.
   */
  isSigned?(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): boolean;
}

/** Who makes a request that has been let in. */
export interface Identity {
  /** Absent where nobody has to say who they are. */
  readonly auth?: Principal;
  /** The owner that a caller without a name is by its secret. */
  readonly secretOwner?: string;
  /** What the request asks of the caller's token. */
  readonly neededScopes?: readonly string[];
  /** The account of the address that the request comes from. @defaultValue that of this machine */
  readonly addressAccount?: string;
  /**
   * Resolves when the request has been counted as one that its caller may make. Rejects with a Refusal 429 if it is one too many, and
   * with `TaskError` `STORE_UNAVAILABLE` while nobody can say. To be awaited before anything is done for the request. Absent where
   * nothing is counted.
   */
  readonly counted?: (() => Promise<void>) | undefined;
}

/** Who asks for tasks, and what its token allows. */
export interface TaskCaller extends Caller {
  /** Absent where nobody has to say who it is, and where the gateway itself does what is left to do. */
  readonly auth: Principal | undefined;
  /** What the request itself asks of the token, to be named with what its task asks. */
  readonly neededScopes?: readonly string[] | undefined;
}

/** Who makes a request, to whom asks for tasks. */
export function taskCallerOf({ owner, auth, neededScopes }: Pick<Requester, 'owner' | 'auth' | 'neededScopes'>): TaskCaller {
  return { owner, auth, neededScopes };
}

/** A request that has been let in. */
export type AuthenticatedRequest = IncomingMessage & { -readonly [Name in keyof Identity]: Identity[Name] } & {
  /** What it is answered by. */
  response?: ServerResponse;
  /** Says that nothing of the body is kept any more. It is said at the latest when the response is closed. */
  bodyDone?: () => void;
};

/** Whom the limits count what a caller opens: the caller if it is known, otherwise its address. */
export function accountOf({ auth, addressAccount = LOCAL_ACCOUNT }: Identity): string {
  return auth === undefined ? addressAccount : auth.owner;
}

/** Whom the limits of requests count; nobody on a socket that only the user of this machine can open. */
export function accountToLimit(identity: Identity): string | undefined {
  const account = accountOf(identity);
  return account === LOCAL_ACCOUNT ? undefined : account;
}

/** Under whom the tasks of an owner are counted, if not under the owner alone. */
export function accountsOfCaller({ auth, addressAccount = LOCAL_ACCOUNT }: Identity, owner: string): readonly string[] | undefined {
  // Who may open the gateway's socket is the user of this machine, and no stranger.
  if (auth !== undefined || addressAccount === LOCAL_ACCOUNT) return undefined;
  return owner === ANONYMOUS_OWNER ? [addressAccount] : [owner, addressAccount];
}

/** The caller as features see it, and as tasks record it. */
export function callerAuthOf({
  owner: _owner,
  expiresAt: _expiresAt,
  issuedAt: _issuedAt,
  boundTo: _boundTo,
  whenRevoked: _whenRevoked,
  ...auth
}: Principal): CallerAuth {
  return auth;
}

/** Whose a request is that has no session. */
export function callerWithoutSession({ auth, secretOwner }: Identity): string {
  return auth === undefined ? (secretOwner ?? ANONYMOUS_OWNER) : auth.owner;
}

/** By its value, a caller whom nobody knows can show that it is the same one as before. */
export const CALLER_SECRET_HEADER = 'longhaul-caller-secret';

const SECRET = /^[\w.~+/=-]{32,512}$/;

/** Who owns what the caller with the secret creates. @throws Refusal 400 for one that could be guessed, or is no text of a header */
export function ownerOfSecret(secret: string | string[] | undefined): string | undefined {
  if (secret === undefined) return undefined;
  if (typeof secret === 'string' && SECRET.test(secret))
    return ownerOfSecretHash(createHash('sha256').update(secret).digest('base64url').slice(0, 22));
  const allowed = 'must have 32 to 512 random letters, digits or any of . _ ~ + / = -';
  throw new Refusal(400, RpcCode.Transport, `Bad Request: ${CALLER_SECRET_HEADER} ${allowed}`);
}
