/**
 * Logs a person in to a server by the browser: authorization code with PKCE (S256), as the specification of MCP asks for. The page that is
 * visited is named by metadata of others, so it has to be https at public addresses, unless the file or the server itself has its host. The
 * answer has to have our `state`, and the issuer if the authorization server says that it sends that (RFC 9207).
 */
import { namedNetwork, requireAllowedHost, systemNetwork } from '@longhaul/runtime/guarded-agent';
import { isSecureUrl } from '@longhaul/runtime/signing-settings';
import * as oauth from 'oauth4webapi';
import type { ClientAuthMethod, LoginSettings } from '../../config/auth-settings.js';
import { ServerAuthError } from '../auth-errors.js';
import { type AuthClient, AuthorizationServer } from '../authorization-server.js';
import type { FoundServer } from '../find-authorization-server.js';
import type { GottenToken } from '../kept-token.js';
import { openLoopback } from './loopback.js';

/** How long a person may take. */
const PERSON_MS = 300_000;
const WORD = /^[\w.-]{1,64}$/;

/** The server that is logged in to. */
export interface LoginTarget {
  readonly name: string;
  readonly url: string;
  readonly settings: LoginSettings;
  /** Further scopes that the server wants. */
  readonly scopes: readonly string[];
}

/** A token of a log-in, and what gets the next one. */
export interface Login extends GottenToken {
  /** The only one that receives the refresh token. */
  readonly issuer: string;
  /** The client that was registered; absent for the client of the settings. */
  readonly client?: AuthClient | undefined;
}

/** Has a person visit a page. */
export type Visit = (server: string, address: string) => void;

/** The authorization server of a log-in. Scopes are a matter of the page alone. */
export function authorityOfLogin({ name, url, settings }: Pick<LoginTarget, 'name' | 'url' | 'settings'>): AuthorizationServer {
  return new AuthorizationServer({ name, url, auth: { ...settings, clientId: settings.clientId ?? '', scopes: [] } });
}

/** The client of the settings. */
export function clientOf({ clientId = '', method, secret, keyId }: LoginSettings): AuthClient {
  return { clientId, method, secret, keyId };
}

/** @throws ServerAuthError when the log-in fails; AuthorizationServerAway; the reason of the signal */
export async function logInByBrowser(target: LoginTarget, visit: Visit, signal: AbortSignal): Promise<Login> {
  const { name, settings } = target;
  const authority = authorityOfLogin(target);
  const found = await authority.found();
  const page = await pageOf(target, found);
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const loopback = await openLoopback(state);
  try {
    const { redirectUri } = loopback;
    const client = settings.clientId === undefined ? await registered(name, authority, found, redirectUri) : undefined;
    const { clientId } = client ?? clientOf(settings);
    const scopes = scopesFor(target, found);
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      // OpenID Connect gives nothing that lasts without it.
      ...(scopes.includes('offline_access') && { prompt: 'consent' }),
      ...(found.resource !== undefined && { resource: found.resource }),
      ...(settings.audience !== undefined && { audience: settings.audience }),
    };
    for (const [key, value] of Object.entries(parameters)) page.searchParams.set(key, value);
    visit(name, page.href);
    const answer = await answerTo(name, loopback.answer, signal);
    const code = codeOf(name, found, { clientId, state }, answer);
    const parts = { code, redirect_uri: redirectUri, code_verifier: verifier };
    const issued = await authority.by(client ?? clientOf(settings)).code(parts);
    return { ...issued, gotAt: Date.now(), issuer: found.as.issuer, ...(client !== undefined && { client }) };
  } finally {
    loopback.close();
  }
}

/** Where a person logs in. @throws ServerAuthError when it may not be visited, or takes no PKCE */
async function pageOf({ name, url, settings }: LoginTarget, { as }: FoundServer): Promise<URL> {
  const { authorization_endpoint: endpoint = '', code_challenge_methods_supported: methods } = as;
  if (methods?.includes('S256') !== true) throw refused(name, 'its authorization server does not say that it takes PKCE with S256');
  const named = [url, settings.issuer].flatMap((each) => (each === undefined ? [] : [new URL(each).hostname]));
  const page = isSecureUrl(endpoint) ? new URL(endpoint) : undefined;
  const isNamed = page !== undefined && named.includes(page.hostname);
  if (page === undefined || (page.protocol !== 'https:' && !isNamed)) throw refused(name, 'its page to log in at is not at an https URL');
  await requireAllowedHost(page, isNamed ? namedNetwork : systemNetwork(false)).catch((error: unknown) => {
    throw refused(name, `its page to log in at may not be visited: ${error instanceof Error ? error.message : String(error)}`);
  });
  return page;
}

/** As the specification has it: the scopes of the challenge or of the metadata, or none. */
function scopesFor({ settings, scopes: wanted }: LoginTarget, { as, scopes: described = [] }: FoundServer): readonly string[] {
  if (settings.scopes.length > 0) return [...new Set([...settings.scopes, ...wanted])];
  const lasting = as.scopes_supported?.includes('offline_access') === true ? ['offline_access'] : [];
  return [...new Set([...described, ...wanted, ...lasting])];
}

const METHODS: readonly ClientAuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];

/** A client for this log-in alone: some authorization servers compare the port of the redirect. */
async function registered(name: string, authority: AuthorizationServer, { as }: FoundServer, redirectUri: string): Promise<AuthClient> {
  if (as.registration_endpoint === undefined)
    throw refused(name, 'its authorization server registers no clients: give "auth" a "clientId" in the file of servers');
  const offered = as.token_endpoint_auth_methods_supported;
  const asked = METHODS.find((method) => offered?.includes(method) ?? true) ?? 'none';
  const answer = await authority.register({
    client_name: 'Longhaul',
    application_type: 'native',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: asked,
  });
  const { client_id: clientId, client_secret: secret, token_endpoint_auth_method: given } = answer;
  if (typeof secret !== 'string' || secret === '') return { clientId, method: 'none' };
  const method = METHODS.find((each) => each === given) ?? 'client_secret_basic';
  return method === 'none' ? { clientId, method } : { clientId, method, secret };
}

async function answerTo(name: string, answer: Promise<URLSearchParams>, signal: AbortSignal): Promise<URLSearchParams> {
  const limit = AbortSignal.timeout(PERSON_MS);
  const ended = Promise.withResolvers<never>();
  const end = (): void =>
    ended.reject(signal.aborted ? (signal.reason as Error) : refused(name, `there was no log-in within ${PERSON_MS / 60_000} minutes`));
  for (const each of [signal, limit]) each.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    return await Promise.race([answer, ended.promise]);
  } finally {
    for (const each of [signal, limit]) each.removeEventListener('abort', end);
  }
}

interface Asked {
  readonly clientId: string;
  readonly state: string;
}

/** @throws ServerAuthError when the answer is of another authorization server, or no code */
function codeOf(name: string, { as }: FoundServer, { clientId, state }: Asked, answer: URLSearchParams): string {
  const error = answer.get('error');
  try {
    const code = oauth.validateAuthResponse(as, { client_id: clientId }, answer, state).get('code');
    if (code !== null) return code;
  } catch (cause) {
    if (!(cause instanceof oauth.AuthorizationResponseError))
      throw refused(name, `the answer of the browser is not of its authorization server (${cause instanceof Error ? cause.message : ''})`);
  }
  throw refused(name, `its authorization server has refused it (${error !== null && WORD.test(error) ? error : 'without a code'})`);
}

function refused(name: string, why: string): ServerAuthError {
  return new ServerAuthError(name, `The log-in to the server "${name}" has failed: ${why}.`);
}
