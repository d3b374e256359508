/**
 * A real authorization server in this process, with users who agree to everything: authorization code with PKCE for a public client,
 * client credentials for one with a secret, and JWT access tokens for the resource that is asked for.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  agree,
  createProvider,
  INTERACTION_PATH,
  PUBLIC_CLIENT,
  REDIRECT_URL,
  SERVICE_CLIENT as SERVICE,
} from '../../../deploy/authorization-server/provider.ts';

export { PUBLIC_CLIENT, REDIRECT_URL };
export const SERVICE_CLIENT = { id: SERVICE, secret: 'a secret of the service' };

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
    // An idle connection must not end in the moment in which a client uses it again.
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = createProvider({ issuer, resource, scopes, lifetimeS, clientSecret: SERVICE_CLIENT.secret, page });
    const serve = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith(INTERACTION_PATH) === true) void agree(provider, request, response, 'ada');
      else void serve(request, response);
    });
    return new AuthorizationServer(server, issuer);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/**
 * Follows the redirects of an authorization request as a browser does, with its cookies, until they lead back to the client. A form on
 * the way is sent by somebody of this name.
 */
export async function followToCallback(start: URL, user = 'ada'): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = start;
  let form: RequestInit = {};
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { ...form, redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const [, action] = /<form method="post" action="([^"]+)">/.exec(await response.text()) ?? [];
    form = action === undefined ? {} : { method: 'POST', body: new URLSearchParams({ user }) };
    at = new URL(action ?? response.headers.get('location') ?? '', at);
    if (at.pathname === new URL(REDIRECT_URL).pathname) return at;
  }
  throw new Error(`The authorization server does not come to an end: ${at.href}`);
}
