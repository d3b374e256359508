/** Verifies access tokens that are signed by their issuer (RFC 9068). What the header of a token says of keys counts for nothing but the choice among those of the issuer. */
import type { Principal } from '@longhaul/sessions/gateway';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { ScopeSettings } from '../rpc/request-scopes.js';
import type { IssuerSettings } from './issuer-settings.js';
import { principalOf } from './principal-of-claims.js';
import { IssuerUnavailable, type SigningKeys } from './signing-keys.js';
import { tokenIdOf } from './token-id.js';
import { type Misfit, TokenRejected } from './token-rejected.js';

/** Tokens whose signature is not verified again. */
const MAX_KNOWN = 10_000;

/**
 * Finds out who a token stands for, at once if that is known.
 *
 * @param id its id, if the caller has it already
 * @throws TokenRejected; IssuerUnavailable when nobody can say
 */
export type VerifyToken = (token: string, id?: string) => Principal | Promise<Principal>;

/** What it verifies by. */
export interface JwtVerifierOptions {
  readonly settings: Pick<IssuerSettings, 'issuer' | 'algorithms' | 'type' | 'leewayMs' | 'claims' | 'dpop'>;
  /** What tokens may name as their audience. */
  readonly audiences: readonly string[];
  readonly scopes: ScopeSettings;
  readonly keys: Pick<SigningKeys, 'keyFor' | 'fresh'>;
}

export function createJwtVerifier({ settings, audiences, scopes, keys }: JwtVerifierOptions): VerifyToken {
  const { issuer, algorithms, leewayMs } = settings;
  const leewayS = leewayMs / 1_000;
  // jose checks what its options name, and nothing else.
  const options = {
    issuer,
    audience: [...audiences],
    algorithms: [...algorithms],
    requiredClaims: ['iss', 'aud', 'exp'],
    clockTolerance: leewayS,
  };
  const wanted: Wanted = {
    iss: issuer,
    aud: audiences.join(' '),
    exp: withLeeway('after now', leewayS),
    nbf: withLeeway('before now', leewayS),
  };
  // A client shows its token with each request, and a signature takes longer to verify than `tasks/get` takes in all.
  const known = new LRUCache<string, { readonly principal: Principal; readonly by: object }>({ max: MAX_KNOWN });
  const verify = async (token: string, id: string): Promise<Principal> => {
    const { fresh } = keys;
    const { payload, protectedHeader } = await verified(() => jwtVerify(token, keys.keyFor, options), wanted);
    requireAccessToken(protectedHeader.typ, payload, settings);
    const principal = principalOf(payload, settings, scopes);
    if (fresh !== undefined) known.set(id, { principal, by: fresh });
    return principal;
  };
  return (token, id = tokenIdOf(token)) => {
    const found = known.get(id);
    if (found !== undefined && found.by === keys.fresh && (found.principal.expiresAt ?? 0) > Date.now()) return found.principal;
    return verify(token, id);
  };
}

/** What is accepted of a claim, in words. */
type Wanted = Readonly<Partial<Record<string, string>>>;

/** A bound of a date, with what clocks may differ by. */
export function withLeeway(bound: string, leewayS: number): string {
  return `${bound}, with ${leewayS} s for clocks that differ`;
}

async function verified<T>(verify: () => Promise<T>, wanted: Wanted): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof IssuerUnavailable || !(error instanceof errors.JOSEError)) throw error;
    const misfit = misfitOf(error, wanted);
    throw new TokenRejected(reasonOf(error), { cause: error, ...(misfit !== undefined && { misfit }) });
  }
}

function misfitOf(error: errors.JOSEError, wanted: Wanted): Misfit | undefined {
  if (!(error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed)) return undefined;
  return { claim: error.claim, wanted: wanted[error.claim] ?? 'one that can be read' };
}

/** The type of an access token (RFC 9068), and what servers write that have no type of their own for them. */
const ACCESS_TOKEN = 'at+jwt';
const ANY_TOKEN = 'jwt';
/** What ID tokens have, and access tokens have not (OpenID Connect Core, 2 and 3.3.2.11). */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * An access token that is called `JWT`, as Keycloak and Auth0 do, has to be told from an ID token: that is for its client, has no
 * scopes, and has claims of its own.
 *
 * @throws TokenRejected
 */
function requireAccessToken(typ: string | undefined, payload: JWTPayload, { type, claims }: Pick<IssuerSettings, 'type' | 'claims'>): void {
  const given = plainType(typ);
  const types = type === undefined ? [ACCESS_TOKEN, ANY_TOKEN] : [plainType(type)];
  if (given === undefined || !types.includes(given)) throw misfitting('typ', types.join(' or '));
  if (given !== ANY_TOKEN) return;
  const sign = OF_ID_TOKENS.find((claim) => payload[claim] !== undefined);
  if (sign !== undefined) throw misfitting(sign, 'none: it is that of an ID token');
  const { typ: kind = 'Bearer', aud, azp, client_id: client } = payload;
  // Keycloak says here what it is: ID, Refresh, Logout.
  if (typeof kind !== 'string' || kind.toLowerCase() !== 'bearer') throw misfitting('typ', 'Bearer, in the claims');
  const audiences = [aud ?? []].flat();
  if (audiences.every((one) => one === azp || one === client)) throw misfitting('aud', 'something else than the client alone');
  if (payload[claims.scopes] === undefined) throw misfitting(claims.scopes, 'scopes, which an ID token does not have');
}

function misfitting(claim: string, wanted: string): TokenRejected {
  return new TokenRejected(`the claim ${claim} of the token is not accepted`, { misfit: { claim, wanted } });
}

/** RFC 7515, section 4.1.9: without its prefix, in any letter case. */
function plainType(typ: string | undefined): string | undefined {
  return typ?.toLowerCase().replace(/^application\//, '');
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `the claim ${error.claim} of the token is not accepted`;
  if (error instanceof errors.JWKSNoMatchingKey) return 'the token is signed with a key that its issuer does not have';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature of the token is wrong';
  return 'the token is not accepted';
}
