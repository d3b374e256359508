/**
 * Asks an issuer about tokens that only it can read (RFC 7662). Its answers are kept for a moment, by a hash of the token. Answers about
 * invalid tokens are kept as well, so that a token that is sent again and again is checked once.
 */
import type { Principal } from '@longhaul/sessions/gateway';
import { Semaphore } from '@longhaul/runtime/semaphore';
import type { JsonObject } from '@longhaul/tasks';
import { LRUCache } from 'lru-cache';
import type { ScopeSettings } from '../rpc/request-scopes.js';
import type { fetchJson } from './fetch-json.js';
import type { IssuerSettings } from './issuer-settings.js';
import { type VerifyToken, withLeeway } from './jwt-verifier.js';
import { principalOf } from './principal-of-claims.js';
import { IssuerUnavailable } from './signing-keys.js';
import { tokenIdOf } from './token-id.js';
import { TokenRejected } from './token-rejected.js';

const MAX_KEPT = 10_000;
/** The permitted types of an access token; a token that is bound to a key is checked for its key. */
const ACCESS_TYPES: ReadonlySet<string> = new Set(['bearer', 'dpop']);
/** The most requests at the same time, and the most requests including waiting ones: further ones would be answered too late. */
const MAX_ASKED = 32;
const MAX_WAITING = 64;

/** The parts of introspection. */
export interface IntrospectionOptions {
  readonly settings: Pick<IssuerSettings, 'issuer' | 'claims' | 'leewayMs'> &
    Partial<Pick<IssuerSettings, 'dpop'>> & { readonly introspection: NonNullable<IssuerSettings['introspection']> };
  readonly clientSecret: string;
  readonly audiences: readonly string[];
  readonly scopes: ScopeSettings;
  readonly fetchObject: typeof fetchJson;
  readonly onError: (error: unknown) => void;
}

export function createIntrospection(options: IntrospectionOptions): (...shown: Parameters<VerifyToken>) => Promise<Principal> {
  const { settings, clientSecret, fetchObject, onError } = options;
  const { url, clientId, cacheMs } = settings.introspection;
  const credentials = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
  const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' };
  const slots = new Semaphore(MAX_ASKED);
  const kept = new LRUCache<string, Promise<Principal>>({ max: MAX_KEPT, ...(cacheMs > 0 && { ttl: cacheMs }) });

  let waiting = 0;
  const ask = async (token: string): Promise<JsonObject> => {
    if (waiting >= MAX_WAITING) throw new IssuerUnavailable(`${settings.issuer} is asked about too many tokens at once.`);
    waiting += 1;
    const leave = await slots.enter();
    try {
      const body = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString();
      return await fetchObject(url, { method: 'POST', headers, body });
    } catch (error) {
      onError(error);
      throw new IssuerUnavailable(`${settings.issuer} does not say what a token is worth.`, { cause: error });
    } finally {
      waiting -= 1;
      leave();
    }
  };
  const verify = async (token: string): Promise<Principal> => principalOf(checked(await ask(token), options), settings, options.scopes);

  return async (token, id = tokenIdOf(token)) => {
    const known = kept.get(id);
    const asking = known ?? verify(token);
    if (known === undefined && cacheMs > 0) {
      kept.set(id, asking);
      asking.catch((error: unknown) => {
        if (!(error instanceof TokenRejected) && kept.peek(id) === asking) kept.delete(id);
      });
    }
    const principal = await asking;
    if ((principal.expiresAt ?? 0) <= Date.now()) throw new TokenRejected('the token has expired');
    return principal;
  };
}

/** @throws TokenRejected for a token that is not for this endpoint, or not valid now */
function checked(answer: JsonObject, { settings, audiences }: IntrospectionOptions): JsonObject {
  const { active, iss = settings.issuer, aud, exp, nbf = 0, token_type: type } = answer;
  const [nowS, leewayS] = [Date.now() / 1_000, settings.leewayMs / 1_000];
  if (active !== true) throw new TokenRejected('the token is not known, or has expired');
  // Issuers answer for refresh tokens too, and those have the same audience.
  if (type !== undefined && (typeof type !== 'string' || !ACCESS_TYPES.has(type.toLowerCase())))
    throw new TokenRejected('the token is no bearer token');
  if (iss !== settings.issuer) throw refused('iss', settings.issuer);
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.some((one) => typeof one === 'string' && audiences.includes(one))) throw refused('aud', audiences.join(' '));
  if (typeof exp !== 'number' || exp + leewayS <= nowS)
    throw new TokenRejected('the token has expired, or has no end', { misfit: { claim: 'exp', wanted: withLeeway('after now', leewayS) } });
  if (typeof nbf !== 'number' || nbf - leewayS > nowS) throw refused('nbf', withLeeway('before now', leewayS));
  return answer;
}

function refused(claim: string, wanted: string): TokenRejected {
  return new TokenRejected(`the claim ${claim} of the token is not accepted`, { misfit: { claim, wanted } });
}
