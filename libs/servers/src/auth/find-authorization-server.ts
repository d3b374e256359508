import * as oauth from 'oauth4webapi';
import type { AuthFetch } from './auth-fetch.js';
import type { TokenSettings } from '../config/auth-settings.js';
import { scopesOf } from './auth-errors.js';

/** The server that tokens are for. */
export interface AuthorizedServer {
  readonly name: string;
  readonly url: string;
  readonly auth: TokenSettings;
}

/** How authorization servers are asked. */
export interface AuthRequests {
  readonly [oauth.customFetch]: AuthFetch;
  readonly [oauth.allowInsecureRequests]: true;
}

/** An authorization server, and what tokens of it are for. */
export interface FoundServer {
  readonly as: oauth.AuthorizationServer;
  readonly resource: string | undefined;
  /** The scopes that the server says are needed. Absent: it says nothing. */
  readonly scopes?: readonly string[] | undefined;
}

/** Finds it as the file says, or as the server says. @throws Error; AuthorizationServerAway */
export async function findAuthorizationServer({ url, auth }: AuthorizedServer, options: AuthRequests): Promise<FoundServer> {
  const { issuer, tokenUrl, resource } = auth;
  const own = resource === false ? undefined : (resource ?? withoutQuery(url));
  if (tokenUrl !== undefined) return { as: { issuer: issuer ?? new URL(tokenUrl).origin, token_endpoint: tokenUrl }, resource: own };
  if (issuer !== undefined) return { as: await metadataOf(issuer, options), resource: own };
  const { described, scopes } = await resourceMetadata(url, options);
  const [first] = described.authorization_servers ?? [];
  if (first === undefined) throw new Error('its metadata name no authorization server: give "auth" an "issuer" or a "tokenUrl"');
  return { as: await metadataOf(first, options), resource: resource === undefined ? described.resource : own, scopes };
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return pathname === '/' ? origin : `${origin}${pathname}`;
}

/** The metadata of a server: where its challenge says, or at the well-known places of its own origin. */
async function resourceMetadata(
  url: string,
  options: AuthRequests,
): Promise<{ readonly described: oauth.ResourceServer; readonly scopes: readonly string[] | undefined }> {
  const { origin, pathname } = new URL(url);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const challenge = await challengeOf(url, options);
  const challenged = /resource_metadata="([^"]{1,2048})"/i.exec(challenge)?.[1];
  const places = [challenged, `${wellKnown}${pathname === '/' ? '' : pathname}`, wellKnown];
  let failure: unknown;
  for (const place of new Set(places.filter((each) => each !== undefined)))
    try {
      const response = await get(place, options);
      const { resource } = (await response.clone().json()) as { readonly resource?: unknown };
      if (!isAbout(resource, url)) throw new Error(`${place} is about another server than ${origin}${pathname}`);
      const described = await oauth.processResourceDiscoveryResponse(new URL(resource), response);
      return { described, scopes: scopesOf(challenge) ?? described.scopes_supported };
    } catch (error) {
      failure = error;
    }
  throw new Error('it says nothing of its authorization server: give "auth" an "issuer" or a "tokenUrl"', { cause: failure });
}

/** The resource may be the server as a whole, or a path above. */
function isAbout(resource: unknown, url: string): resource is string {
  const described = typeof resource === 'string' ? URL.parse(resource) : null;
  const { origin, pathname } = new URL(url);
  const path = described?.pathname.replace(/\/$/, '');
  return described?.origin === origin && (pathname.replace(/\/$/, '') === path || pathname.startsWith(`${path}/`));
}

async function challengeOf(url: string, options: AuthRequests): Promise<string> {
  try {
    return (await get(url, options)).headers.get('www-authenticate') ?? '';
  } catch {
    // It need not answer this at all: the well-known places are next.
    return '';
  }
}

function get(url: string, options: AuthRequests): Promise<Response> {
  return options[oauth.customFetch](url, { method: 'GET', headers: new Headers({ accept: 'application/json' }) });
}

/** @throws Error when the metadata are of another issuer, or have no token endpoint */
async function metadataOf(issuer: string, options: AuthRequests): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  const failures: unknown[] = [];
  for (const algorithm of ['oauth2', 'oidc'] as const)
    try {
      const as = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, { ...options, algorithm }));
      if (as.token_endpoint === undefined) throw new Error(`the metadata of ${url.origin} name no token endpoint`);
      return as;
    } catch (error) {
      failures.push(error);
    }
  throw new Error(failures.map((error) => (error instanceof Error ? error.message : String(error))).join('; '), { cause: failures[0] });
}
