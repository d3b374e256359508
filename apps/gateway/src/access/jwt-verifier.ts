/** Verifies access tokens that their issuer signed (RFC 9068). The header of a token is used only to choose among the issuer's keys. */
import type { Principal } from '@longhaul/sessions/gateway';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { ScopeSettings } from '../rpc/request-scopes.js';
import type { IssuerSettings } from './issuer-settings.js';
import { principalOf } from './principal-of-claims.js';
import { IssuerUnavailable, type SigningKeys } from './signing-keys.js';
import { tokenIdOf } from './token-id.js';
import { type Misfit, TokenRejected } from './token-rejected.js';

/** Tokens with a verified signature that are remembered. */
const MAX_KNOWN = 10_000;

/**
 * Finds who a token stands for, synchronously if that is known.
 *
 * @param id the token's id, if the caller has it already
 * @throws TokenRejected; IssuerUnavailable when it cannot be decided
 */
export type VerifyToken = (token: string, id?: string) => Principal | Promise<Principal>;

/** The parts of verification. */
export interface JwtVerifierOptions {
  readonly settings: Pick<IssuerSettings, 'issuer' | 'algorithms' | 'type' | 'leewayMs' | 'claims' | 'dpop'>;
  /** The permitted audiences of tokens. */
  readonly audiences: readonly string[];
  readonly scopes: ScopeSettings;
  readonly keys: Pick<SigningKeys, 'keyFor' | 'fresh'>;
}

export function createJwtVerifier({ settings, audiences, scopes, keys }: JwtVerifierOptions): VerifyToken {
  const { issuer, algorithms, leewayMs } = settings;
  const leewayS = leewayMs / 1_000;
  // jose checks only what its options name.
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
  // A client sends its token with each request, and verifying a signature takes longer than a whole `tasks/get`.
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

/** The accepted values of claims, in words. */
type Wanted = Readonly<Partial<Record<string, string>>>;

/** The bound of a date, plus the permitted clock difference. */
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

/** The type of an access token (RFC 9068), and the type that servers use if they have none for access tokens. */
const ACCESS_TOKEN = 'at+jwt';
const ANY_TOKEN = 'jwt';
/** Claims that only ID tokens have (OpenID Connect Core, 2 and 3.3.2.11). */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * Keycloak and Auth0 call their access tokens `JWT`, so these must be distinguished from ID tokens: an ID token is for its client, has no
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
  // Keycloak writes the kind of the token here: ID, Refresh, Logout.
  if (typeof kind !== 'string' || kind.toLowerCase() !== 'bearer') throw misfitting('typ', 'Bearer, in the claims');
  const audiences = [aud ?? []].flat();
  if (audiences.every((one) => one === azp || one === client)) throw misfitting('aud', 'something else than the client alone');
  if (payload[claims.scopes] === undefined) throw misfitting(claims.scopes, 'scopes, which an ID token does not have');
}

function misfitting(claim: string, wanted: string): TokenRejected {
  return new TokenRejected(`the claim ${claim} of the token is not accepted`, { misfit: { claim, wanted } });
}

/** The type without its prefix, in lower case (RFC 7515, section 4.1.9). */
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
