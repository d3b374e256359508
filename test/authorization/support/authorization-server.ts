/**
 * A real authorization server in this process, with users who agree to everything: authorization code with PKCE for a public client,
 * client credentials for one with a secret, and JWT access tokens for the resource that is asked for.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const REDIRECT_URL = 'http://127.0.0.1/callback';
export const PUBLIC_CLIENT = 'public-app';
export const SERVICE_CLIENT = { id: 'service', secret: 'a secret of the service' };

/** What is special about it. */
export interface AuthorizationServerOptions {
  /** The URL of the endpoint that tokens are for. */
  readonly resource: () => string;
  /** Scopes that tokens may have. */
  readonly scopes: readonly string[];
  /** How long access tokens last, seconds. */
  readonly lifetimeS?: number;
  /** The URL of a page that logs in: it may be led back to, and ask for tokens. */
  readonly page?: string;
}

export class AuthorizationServer {
  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start({ resource, scopes, lifetimeS = 600, page }: AuthorizationServerOptions): Promise<AuthorizationServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const scope = scopes.join(' ');
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: PUBLIC_CLIENT,
          token_endpoint_auth_method: 'none',
          application_type: 'native',
          redirect_uris: page === undefined ? [REDIRECT_URL] : [REDIRECT_URL, page],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        },
        {
          client_id: SERVICE_CLIENT.id,
          client_secret: SERVICE_CLIENT.secret,
          redirect_uris: [],
          grant_types: ['client_credentials'],
          response_types: [],
        },
      ],
      scopes: ['openid', 'offline_access', ...scopes],
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      pkce: { required: () => true },
      clientBasedCORS: (_context, origin) => page?.startsWith(`${origin}/`) === true,
      ttl: { AccessToken: lifetimeS, ClientCredentials: lifetimeS },
      issueRefreshToken: () => true,
      features: {
        devInteractions: { enabled: false },
        dPoP: { enabled: true },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => resource(),
          useGrantedResource: () => true,
          getResourceServerInfo: (_context, indicator) => ({
            scope,
            audience: indicator,
            accessTokenTTL: lifetimeS,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
      interactions: { url: (_context, { uid }) => `/agree/${uid}` },
    });
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/agree/') === true) void agree(provider, request, response);
      else void provider.callback()(request, response);
    });
    return new AuthorizationServer(server, issuer);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Logs the user in, and grants what is asked for. */
async function agree(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params, prompt, grantId } = await provider.interactionDetails(request, response);
  const accountId = 'ada';
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

/** Follows the redirects of an authorization request as a browser does, with its cookies, until they lead back to the client. */
export async function followToCallback(start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = start;
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { headers } = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    at = new URL(headers.get('location') ?? '', at);
    if (at.href.startsWith(REDIRECT_URL)) return at;
  }
  throw new Error(`The authorization server does not come to an end: ${at.href}`);
}
