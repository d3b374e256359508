/** Tests that an authorization server, or a server that names one, cannot lead us to other places, nor make us hold or show what it likes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejection } from '../client/support/clients.js';
import { type ProtectedServer, startProtectedServer } from './support/protected-server.js';
import { ServersPlace } from './support/servers.js';

/** What the authorization server does. */
interface Hostility {
  readonly metadata?: (issuer: string) => object | string;
  readonly token?: (response: ServerResponse, url: string) => void;
}

let place: ServersPlace;
let upstream: ProtectedServer;
let authority: Server;
let hostility: Hostility;
/** The paths that it was asked for. */
const asked: string[] = [];

const url = (): string => `http://127.0.0.1:${(authority.address() as AddressInfo).port}`;
const json = (response: ServerResponse, status: number, body: object | string): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body));

function serve({ url: path = '' }: IncomingMessage, response: ServerResponse): void {
  asked.push(path);
  if (path === '/.well-known/oauth-authorization-server')
    return json(response, 200, hostility.metadata?.(url()) ?? { issuer: url(), token_endpoint: `${url()}/token` });
  if (path !== '/token') return json(response, 404, {});
  (hostility.token ?? ((to) => json(to, 200, { access_token: 'good', token_type: 'Bearer', expires_in: 60 })))(response, url());
}

beforeEach(async () => {
  place = new ServersPlace();
  hostility = {};
  asked.splice(0);
  authority = createServer(serve);
  await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await place.close();
  await upstream.close();
  authority.closeAllConnections();
  await new Promise((resolve) => authority.close(resolve));
});

const CLIENT = { grant: 'client_credentials', clientId: 'longhaul', clientSecret: 'the secret of the client' };

/** How a server ends that is given this authorization server. */
async function failure(
  doing: Hostility,
  { issuer = url(), resource }: { issuer?: string | false; resource?: string } = {},
): Promise<string> {
  hostility = doing;
  upstream = await startProtectedServer({
    issuer: () => (issuer === false ? 'https://10.255.255.1' : url()),
    ...(resource !== undefined && { resource }),
  });
  const auth = { ...CLIENT, ...(issuer !== false && resource === undefined && { issuer }) };
  const error = await rejection(place.one({ url: upstream.url, auth }));
  expect(upstream.requests('initialize')).toEqual([]);
  return String(error);
}

describe('an authorization server', () => {
  it('that redirects is not followed, and the secret goes nowhere else', async () => {
    const said = await failure({ token: (response, at) => void response.writeHead(307, { location: `${at}/elsewhere` }).end() });
    expect(said).toContain('/token cannot be asked: it redirects, which is not followed');
    expect(asked).not.toContain('/elsewhere');
  });

  it('whose metadata are those of another issuer is not asked for tokens', async () => {
    await failure({ metadata: (issuer) => ({ issuer: 'https://issuer.example', token_endpoint: `${issuer}/token` }) });
    expect(asked).not.toContain('/token');
  });

  it.each([
    ['metadata', { metadata: () => `{"issuer":"${'x'.repeat(300_000)}"}` }],
    ['answer', { token: (response: ServerResponse) => json(response, 200, `{"access_token":"${'x'.repeat(300_000)}"}`) }],
  ])('whose %s is huge is read no further', async (_what, doing) => {
    expect(await failure(doing)).toContain('the server sent a message of more than 262144 bytes');
  });

  it.each([
    ['a private address', 'https://10.255.255.1/token', 'is not at a public address'],
    ['the metadata of a cloud', 'https://169.254.169.254/token', 'is not at a public address'],
    ['a name that resolves to this machine', 'https://localhost/token', 'is not at a public address'],
    ['an address without TLS', 'http://10.255.255.1/token', 'its URL must be https'],
  ])('whose metadata lead to %s is not believed', async (_what, endpoint, message) => {
    expect(await failure({ metadata: (issuer) => ({ issuer, token_endpoint: endpoint }) })).toContain(message);
  });

  it.each([
    ['has a newline', 'a\nb'],
    ['is too long', 'x'.repeat(20_000)],
  ])('whose token %s has it sent nowhere', async (_what, token) => {
    const said = await failure({ token: (response) => json(response, 200, { access_token: token, token_type: 'Bearer' }) });
    expect(said).toContain('its token is none that a header can have');
  });

  it('whose refusal has signs that a terminal obeys is not quoted', async () => {
    const said = await failure({
      token: (response) => json(response, 400, { error: '\u001b[2Jcleared', error_description: '\u202egone' }),
    });
    expect(said).toContain('its authorization server refuses us (HTTP 400)');
    expect(said).not.toMatch(/cleared|gone/);
  });
});

describe('a server', () => {
  it('whose metadata name an authorization server at a private address does not have it asked', async () => {
    expect(await failure({}, { issuer: false })).toContain('10.255.255.1 is not at a public address');
  });

  it('whose metadata are about another server has no token gotten', async () => {
    expect(await failure({}, { resource: 'https://other.example/mcp' })).toContain('it says nothing of its authorization server');
    expect(asked).toEqual([]);
  });
});
