/** Tests that neither an authorization server, nor a server that names one, nor a page can misuse the log-in of a person. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejection } from '../client/support/clients.js';
import { Person } from './support/person.js';
import { type ProtectedServer, startProtectedServer } from './support/protected-server.js';
import { ServersPlace } from './support/servers.js';

let place: ServersPlace;
let person: Person;
let upstream: ProtectedServer;
let authority: Server;
/** What it says of itself. */
let metadata: object;
/** What it was asked, oldest first. */
const asked: string[] = [];

const url = (): string => `http://127.0.0.1:${(authority.address() as AddressInfo).port}`;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url: path = '' } = request;
  let body = '';
  for await (const chunk of request) body += String(chunk);
  asked.push(`${path} ${body}`);
  const [, issuer = ''] = /^\/\.well-known\/oauth-authorization-server(.*)$/.exec(path) ?? [];
  const answers: Readonly<Record<string, object>> = {
    [`/.well-known/oauth-authorization-server${issuer}`]: {
      issuer: `${url()}${issuer}`,
      authorization_endpoint: `${url()}/page`,
      token_endpoint: `${url()}/token`,
      registration_endpoint: `${url()}/register`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...metadata,
    },
    '/register': { client_id: 'registered' },
    '/token': { access_token: `token-${asked.length}`, token_type: 'Bearer', expires_in: 600, refresh_token: `next-${asked.length}` },
  };
  const answer = answers[path];
  const status = answer === undefined ? 404 : path === '/register' ? 201 : 200;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
}

beforeEach(async () => {
  place = new ServersPlace();
  person = new Person(place.folder);
  metadata = {};
  asked.splice(0);
  authority = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve));
  upstream = await startProtectedServer({ issuer: url });
  person.browse = back({});
});
afterEach(async () => {
  await person.done();
  await place.close();
  await upstream.close();
  authority.closeAllConnections();
  await new Promise((resolve) => authority.close(resolve));
});

/** The page sends the browser back with this beside what it should have. */
function back(more: Readonly<Record<string, string | undefined>>) {
  return (page: URL): URL => {
    const at = new URL(page.searchParams.get('redirect_uri') ?? '');
    const query = { code: 'the code', state: page.searchParams.get('state') ?? '', iss: url(), ...more };
    for (const [name, value] of Object.entries(query)) if (value !== undefined) at.searchParams.set(name, value);
    return at;
  };
}

const connected = () => place.one({ url: upstream.url }, { logins: person.logins() });
const failure = async (): Promise<string> => String(await rejection(connected()));
const codes = (): string[] => asked.filter((line) => line.startsWith('/token'));

describe('an authorization server', () => {
  it.each([
    ['starts a program', 'javascript:alert(1)', 'is not at an https URL'],
    ['opens a file', 'file:///etc/passwd', 'is not at an https URL'],
    ['is on another port of this machine by another name', 'http://localhost:1/', 'is not at an https URL'],
    ['is at a private address', 'https://10.255.255.1/page', 'is not at a public address'],
    ['is where a cloud tells its keys', 'https://169.254.169.254/page', 'is not at a public address'],
  ])('whose page %s has nobody visit it', async (_what, page, message) => {
    metadata = { authorization_endpoint: page };
    expect(await failure()).toContain(message);
    expect(person.pages).toEqual([]);
  });

  it.each([[undefined], [['plain']]])('that takes the challenge methods %j has nobody log in', async (methods) => {
    metadata = { code_challenge_methods_supported: methods };
    expect(await failure()).toContain('does not say that it takes PKCE with S256');
    expect(person.pages).toEqual([]);
  });

  it('that registers no clients has the file name one', async () => {
    metadata = { registration_endpoint: undefined };
    expect(await failure()).toContain('registers no clients: give "auth" a "clientId"');
  });

  it('whose refusal has signs that a terminal obeys is not quoted', async () => {
    person.browse = back({ code: undefined, error: '\u001B[2Jcleared' });
    const said = await failure();
    expect(said).toContain('its authorization server has refused it (without a code)');
    expect(said).not.toContain('cleared');
  });
});

describe('an answer of the browser', () => {
  it.each([
    ['of another issuer', { iss: 'https://issuer.example' }],
    ['without an issuer, of a server that says that it sends it', { iss: undefined }],
  ])('%s is refused, and its code is sent nowhere', async (_what, more) => {
    person.browse = back(more);
    expect(await failure()).toContain('the answer of the browser is not of its authorization server');
    expect(codes()).toEqual([]);
  });

  it('with another state is a page that guesses, and the log-in goes on', async () => {
    person.browse = async (page) => {
      for (const state of ['guessed', '']) {
        const guess = back({ state, code: 'of somebody else' })(page);
        expect((await fetch(guess)).status).toBe(400);
        expect((await fetch(new URL('/', guess))).status).toBe(400);
      }
      return back({})(page);
    };
    await connected();
    expect(codes()).toHaveLength(1);
    expect(codes()[0]).toContain('code=the+code');
    expect(codes()[0]).toContain(`resource=${encodeURIComponent(upstream.url)}`);
    expect(codes()[0]).toMatch(/code_verifier=[\w-]{43,}/);
  });
});

describe('a server', () => {
  it('that names another authorization server later does not get it the refresh token', async () => {
    const over = new Set<string>();
    await upstream.close();
    let issuer = url();
    upstream = await startProtectedServer({ issuer: () => issuer, accepts: (token) => !over.has(token) });
    await connected();
    upstream.tokens.forEach((token) => over.add(token));
    issuer = `${url()}/other`;
    person.browse = back({ iss: issuer });
    await connected();
    expect(person.pages).toHaveLength(2);
    expect(asked.join()).not.toContain('next-');
  });
});
