/**
 * Finds who makes a request: the holder of a static token, or the caller that an issuer's token stands for. The configuration decides which
 * issuer may vouch for a token: the token's issuer claim picks one of the configured issuers, and only the keys of that issuer decide
 * whether the token is valid.
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
 * The time limit for checking a token, including all requests to its issuer. The body of the request is read only afterwards, and a client
 * that sends no part of it for 10 s is disconnected as slow.
 */
export const DEADLINE_MS = 8_000;

/** Tokens whose issuer claim is remembered. */
const REMEMBERED_TOKENS = 10_000;

/** Checks that the sender of a token has the token's key. */
export interface Proofs {
  /** Signature algorithms that proofs may use. */
  readonly algorithms: readonly string[];
  /** @throws TokenRejected */
  check(request: ProvenRequest, token: string, thumbprint: string): Promise<void>;
}

/** Why a token was refused, without any part of the token. */
export interface RefusedToken extends Partial<Misfit> {
  readonly reason: string;
  /** Absent if the token names no configured issuer. */
  readonly issuer?: string;
}

/** The parties that know tokens. */
export interface AuthenticatorOptions {
  readonly findHolder: FindHolder<Principal>;
  /** By issuer: verifies signed tokens. */
  readonly issuers: ReadonlyMap<string, VerifyToken>;
  /** Checks tokens that name no issuer. */
  readonly introspect: VerifyToken | undefined;
  readonly challenges: Challenges;
  /** Checks tokens that are bound to a key. Absent: no token is bound. */
  readonly proofs?: Proofs | undefined;
  /** The revoked callers. Absent: callers cannot be revoked. */
  readonly revoked?: Pick<RevokedCallers, 'isRevoked' | 'watch'> | undefined;
  /** Called when it cannot be decided whether a token is valid. */
  readonly onError: (error: unknown) => void;
  /** Called with the reason when an issuer's token is refused. */
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
      throw new Refusal(503, RpcCode.Transport, 'The authorization server does not answer, so tokens cannot be verified. Try again.', {
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
    const admittedWithToken = (principal: Principal): Principal => admitted({ ...principal, token: () => token });
    if (known instanceof Promise || isBound || known.boundTo !== undefined)
      return verified(Promise.resolve(known), issuerOf(id, token))
        .then((principal) => proven(principal, { request, token, isBound }))
        .then(admittedWithToken);
    return admittedWithToken(known);
  };
  return Object.assign(authenticate, { isSigned: createIsSigned(findHolder, issuers) });
}

/** Only a token that names a known issuer is verified by its signature here; a static token may look signed too. */
function createIsSigned(findHolder: FindHolder<Principal>, issuers: ReadonlyMap<string, VerifyToken>) {
  return (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): boolean => {
    const { token, isBound } = tokenShownBy(authorizationsOf(request));
    if (token === undefined) return false;
    const issuer = issuerNamedBy(token);
    return issuer !== undefined && issuers.has(issuer) && (isBound || findHolder(token) === undefined);
  };
}

/**
 * A bound token must use the scheme `DPoP`, and any other token `Bearer` (RFC 9449, section 7.2). @returns the function that refuses the
 * wrong scheme
 */
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

/** A token and its scheme. */
interface ShownToken {
  readonly request: ProvenRequest;
  readonly token: string;
  /** Whether it was sent with the scheme for bound tokens. */
  readonly isBound: boolean;
}

/** @param shown if there are several, no token counts @returns the token, and whether its scheme is the one for bound tokens */
function tokenShownBy(shown: readonly string[]): { readonly token: string | undefined; readonly isBound: boolean } {
  const [only, ...more] = shown;
  if (more.length > 0) return { token: undefined, isBound: false };
  const bound = dpopTokenOf(only);
  return { token: bound ?? bearerTokenOf(only), isBound: bound !== undefined };
}

/** All values: Node keeps the first one, and a proxy in front may have checked the last one. */
function authorizationsOf({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): readonly string[] {
  if (headers.authorization === undefined) return [];
  let many = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'authorization') many += 1;
  return Array<string>(Math.max(many, 1)).fill(headers.authorization);
}

/**
 * Reads the issuer without checking the signature, because the issuer decides how the signature is checked. @returns nothing for a token of
 * another form, or without an issuer
 */
function issuerNamedBy(token: string): string | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? [];
  if (payload === undefined) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown;
    return isJsonObject(claims) && typeof claims['iss'] === 'string' ? claims['iss'] : undefined;
  } catch {
    return undefined; // Three parts but no claims: only its issuer can read the token.
  }
}
