/**
 * Who makes a request: the holder of a static token, or whom a token of one of the issuers stands for. Which issuer may speak for a
 * token is decided by the configuration: by the issuer that the token names one is chosen among those, and then that one's keys and
 * nothing in the token decide whether it is good.
 */
import type { Principal } from '@longhaul/sessions/gateway';
import type { IncomingMessage } from 'node:http';
import { bearerTokenOf, dpopTokenOf, type FindHolder } from '@longhaul/runtime/tokens';
import { within } from '@longhaul/runtime/within';
import { isJsonObject, remembered } from '@longhaul/tasks';
import type { Authenticate } from '../rpc/caller.js';
import type { Challenges } from '../rpc/challenges.js';
import { Refusal, RpcCode } from '../rpc/errors.js';
import type { ProvenRequest } from './dpop-proof.js';
import type { RevokedCallers } from './revoked-callers.js';
import type { VerifyToken } from './jwt-verifier.js';
import { tokenIdOf } from './token-id.js';
import { type Misfit, TokenRejected } from './token-rejected.js';

/**
 * How long it may take to find out whether a token is good, with all that its issuer is asked. Until then the body of the request is
 * not read, and a client that sends none for 10 s is cut off as a slow one.
 */
export const DEADLINE_MS = 8_000;

/** Tokens of which it is remembered which issuer they name. */
const REMEMBERED_TOKENS = 10_000;

/** How it is checked that who shows a token has its key. */
export interface Proofs {
  /** Signatures that proofs may have. */
  readonly algorithms: readonly string[];
  /** @throws TokenRejected */
  check(request: ProvenRequest, token: string, thumbprint: string): Promise<void>;
}

/** A token that was refused, without anything of it. */
export interface RefusedToken extends Partial<Misfit> {
  readonly reason: string;
  /** Absent where the token names none that is configured. */
  readonly issuer?: string;
}

/** Who knows tokens. */
export interface AuthenticatorOptions {
  readonly findHolder: FindHolder<Principal>;
  /** By the issuer, which verifies signed tokens. */
  readonly issuers: ReadonlyMap<string, VerifyToken>;
  /** Who is asked about tokens that name no issuer. */
  readonly introspect: VerifyToken | undefined;
  readonly challenges: Challenges;
  /** Checks the tokens that are bound to a key. Absent: there are none. */
  readonly proofs?: Proofs | undefined;
  /** Who has been revoked. Absent: nobody can be. */
  readonly revoked?: Pick<RevokedCallers, 'isRevoked' | 'watch'> | undefined;
  /** Called when nobody can say whether a token is good. */
  readonly onError: (error: unknown) => void;
  /** Called with why a token of an issuer was refused. */
  readonly onRefused: (refused: RefusedToken) => void;
}

export function createAuthenticator({
  findHolder,
  issuers,
  introspect,
  challenges,
  proofs,
  revoked,
  onError,
  onRefused,
}: AuthenticatorOptions): Authenticate {
  const admitted = (principal: Principal): Principal => {
    if (revoked === undefined) return principal;
    if (revoked.isRevoked(principal)) throw challenges.invalid('the token has been revoked');
    return { ...principal, whenRevoked: (listener) => revoked.watch(principal, listener) };
  };
  const issuerOf = remembered(REMEMBERED_TOKENS, (_id, token: string) => issuerNamedBy(token));
  const verifierOf = (token: string, id: string): VerifyToken | undefined => {
    const issuer = issuerOf(id, token);
    return issuer === undefined ? introspect : issuers.get(issuer);
  };
  const proven = createProven(challenges, proofs);
  const verified = async (work: Promise<Principal>, issuer: string | undefined): Promise<Principal> => {
    try {
      return await within(DEADLINE_MS, work, () => {
        throw new Error(`It has taken more than ${DEADLINE_MS / 1_000} s to find out what a token is worth.`);
      });
    } catch (error) {
      if (error instanceof TokenRejected) {
        onRefused({ reason: error.message, ...error.misfit, ...(issuer !== undefined && { issuer }) });
        throw challenges.invalid(error.message);
      }
      onError(error);
      throw new Refusal(503, RpcCode.Transport, 'The authorization server does not answer, so nobody can be let in. Try again.', {
        'retry-after': '1',
      });
    }
  };
  const authenticate: Authenticate = (request) => {
    const shown = authorizationsOf(request);
    if (shown.length === 0) throw challenges.missing();
    const { token, isBound } = tokenShownBy(shown);
    if (token === undefined)
      throw challenges.invalid(
        shown.length === 1 ? 'the header Authorization has no bearer token' : 'the header Authorization came more than once',
      );
    const holder = isBound ? undefined : findHolder(token);
    if (holder !== undefined) return admitted(holder);
    const id = tokenIdOf(token);
    const verify = verifierOf(token, id);
    if (verify === undefined) throw challenges.invalid('the bearer token is not known');
    const known = verify(token, id);
    if (known instanceof Promise || isBound || known.boundTo !== undefined)
      return verified(Promise.resolve(known), issuerOf(id, token))
        .then((principal) => proven(principal, { request, token, isBound }))
        .then(admitted);
    return admitted(known);
  };
  return Object.assign(authenticate, { isSigned: createIsSigned(findHolder, issuers) });
}

/** Only a token that names a known issuer is verified by its signature here; a static one may look like that too. */
function createIsSigned(findHolder: FindHolder<Principal>, issuers: ReadonlyMap<string, VerifyToken>) {
  return (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): boolean => {
    const { token, isBound } = tokenShownBy(authorizationsOf(request));
    if (token === undefined) return false;
    const issuer = issuerNamedBy(token);
    return issuer !== undefined && issuers.has(issuer) && (isBound || findHolder(token) === undefined);
  };
}

/** A token that is bound to a key is shown as that, and any other one as a bearer token (RFC 9449, section 7.2). @returns what refuses others */
function createProven(challenges: Challenges, proofs: Proofs | undefined) {
  return async (principal: Principal, { request, token, isBound }: ShownToken): Promise<Principal> => {
    const { boundTo } = principal;
    if (boundTo === undefined && isBound) throw challenges.invalid('the token is bound to no key: send it as a bearer token');
    if (boundTo === undefined) return principal;
    if (proofs === undefined) throw challenges.invalid('the token is bound to a key, which is not looked at here');
    try {
      if (!isBound) throw new TokenRejected('the token is bound to a key: send it with the scheme DPoP and a proof');
      await proofs.check(request, token, boundTo);
    } catch (error) {
      if (error instanceof TokenRejected) throw challenges.unproven(error.message, proofs.algorithms);
      throw error;
    }
    return principal;
  };
}

/** A token as it was shown. */
interface ShownToken {
  readonly request: ProvenRequest;
  readonly token: string;
  /** Whether it was shown as one that is bound to a key. */
  readonly isBound: boolean;
}

/** @param shown of more than one none counts @returns the token, and whether it was shown as one that is bound to a key */
function tokenShownBy(shown: readonly string[]): { readonly token: string | undefined; readonly isBound: boolean } {
  const [only, ...more] = shown;
  if (more.length > 0) return { token: undefined, isBound: false };
  const bound = dpopTokenOf(only);
  return { token: bound ?? bearerTokenOf(only), isBound: bound !== undefined };
}

/** All of them: Node keeps the first, and a proxy in front may have looked at the last. */
function authorizationsOf({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): readonly string[] {
  if (headers.authorization === undefined) return [];
  let many = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'authorization') many += 1;
  return Array<string>(Math.max(many, 1)).fill(headers.authorization);
}

/** Read without a look at the signature: it decides who looks at that. @returns nothing for a token of no such form, or that names none */
function issuerNamedBy(token: string): string | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? [];
  if (payload === undefined) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown;
    return isJsonObject(claims) && typeof claims['iss'] === 'string' ? claims['iss'] : undefined;
  } catch {
    return undefined; // Three parts, and yet no claims: one that only its issuer can read.
  }
}
