/**
 * An authorization server for development and for tests: authorization code with PKCE for public clients, client credentials for one
 * with a secret, and JWT access tokens for the one resource that it is given. Its keys live as long as the process.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';

/** What a native client that is known beforehand is called, and where it is sent back to; any port of this machine will do. */
export const PUBLIC_CLIENT = 'public-app';
export const REDIRECT_URL = 'http://127.0.0.1/callback';
/** The program that acts for itself. */
export const SERVICE_CLIENT = 'service';

/** Where somebody is asked who they are: this, and the id of the question. */
export const INTERACTION_PATH = '/log-in/';

/** What is special about it. */
export interface ProviderOptions {
  readonly issuer: string;
  /** The URL of the endpoint that tokens are for. */
  readonly resource: () => string;
  /** Scopes that tokens may have. */
  readonly scopes: readonly string[];
  /** How long access tokens last, seconds. */
  readonly lifetimeS: number;
  /** The secret of `SERVICE_CLIENT`. @defaultValue none: there is no such client */
  readonly clientSecret?: string | undefined;
  /** The URL of a page that logs in as the native client: it may be led back to, and ask for tokens. @defaultValue none */
  readonly page?: string | undefined;
}

export function createProvider({ issuer, resource, scopes, lifetimeS, clientSecret, page }: ProviderOptions): Provider {
  const publicClient = {
    client_id: PUBLIC_CLIENT,
    token_endpoint_auth_method: 'none' as const,
    application_type: 'native' as const,
    redirect_uris: page === undefined ? [REDIRECT_URL] : [REDIRECT_URL, page],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
  };
  const service = {
    client_id: SERVICE_CLIENT,
    client_secret: clientSecret,
    redirect_uris: [],
    grant_types: ['client_credentials'],
    response_types: [],
  };
  return new Provider(issuer, {
    clients: [publicClient, ...(clientSecret === undefined ? [] : [service])],
    jwks: { keys: [newSigningKey()] },
    scopes: ['openid', 'offline_access', ...scopes],
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    pkce: { required: () => true },
    clientBasedCORS: (_context, origin) => page !== undefined && new URL(page).origin === origin,
    ttl: { AccessToken: lifetimeS, ClientCredentials: lifetimeS },
    issueRefreshToken: () => true,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: true },
      clientCredentials: { enabled: true },
      // Clients that are not registered here make themselves known.
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource(),
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, indicator) => ({
          scope: scopes.join(' '),
          audience: indicator,
          accessTokenTTL: lifetimeS,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    interactions: { url: (_context, { uid }) => `${INTERACTION_PATH}${uid}` },
  });
}

/** The default of the library is a key that everybody knows. */
function newSigningKey(): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: 'of-this-process', use: 'sig', alg: 'RS256' };
}

/** Logs a user in, and grants what the client asks for. */
export async function agree(provider: Provider, request: IncomingMessage, response: ServerResponse, accountId: string): Promise<void> {
  const { params, prompt, grantId } = await provider.interactionDetails(request, response);
  const grant =
    (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
    new provider.Grant({ accountId, clientId: String(params['client_id']) });
  const { missingOIDCScope, missingResourceScopes } = prompt.details as {
    readonly missingOIDCScope?: string[];
    readonly missingResourceScopes?: Record<string, string[]>;
  };
  if (missingOIDCScope !== undefined) grant.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) grant.addResourceScope(resource, scopes.join(' '));
  await provider.interactionFinished(
    request,
    response,
    { login: { accountId }, consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  );
}
