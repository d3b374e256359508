/** Tests that a person logs in to servers by the browser, at a real authorization server, and stays logged in. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyRing } from '@longhaul/runtime/keys';
import { parseServers } from '@longhaul/servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuthorizationServer, PUBLIC_CLIENT } from '../access/support/authorization-server.js';
import { rejection, textOf } from '../client/support/clients.js';
import { forAllTests } from '../support/for-all-tests.js';
import { Person } from './support/person.js';
import { type ProtectedServer, type ProtectedServerOptions, startProtectedServer } from './support/protected-server.js';
import { ServersPlace } from './support/servers.js';

const authority = forAllTests(
  () => AuthorizationServer.start({ resource: () => 'http://nobody.example', scopes: ['reports:read'], lifetimeS: 600 }),
  (server) => server.close(),
);
const LOGIN = { grant: 'authorization_code' };
let place: ServersPlace;
let person: Person;
let upstream: ProtectedServer;

beforeEach(() => {
  place = new ServersPlace();
  person = new Person(place.folder);
});
afterEach(async () => {
  await person.done();
  await place.close();
  await upstream.close();
});

async function started(options: ProtectedServerOptions = {}): Promise<void> {
  upstream = await startProtectedServer({ issuer: () => authority.issuer, ...options });
}

/** Connects the server, and calls a tool of it. */
async function worked(auth?: object, logins = person.logins()): Promise<void> {
  const server = await place.one({ url: upstream.url, ...(auth !== undefined && { auth }) }, { logins });
  expect(textOf(await server.callTool('work', {}))).toBe('done');
}

const files = (): string[] => readdirSync(join(place.folder, 'logins')).map((name) => join(place.folder, 'logins', name));
const page = (at = 0): URLSearchParams => person.pages[at]?.searchParams ?? new URLSearchParams();
const configOf = (auth?: object) => {
  const [config] = parseServers(JSON.stringify({ mcpServers: { tested: { url: upstream.url, auth } } }), {
    from: 'a test',
    env: {},
  }).servers;
  if (config === undefined || !person.logins().take(config)) throw new Error('Nobody can log in to it.');
  return config;
};

describe('a server that wants a log-in', () => {
  it('has the person log in once, as a client that is registered for it, with PKCE and a token for this server alone', async () => {
    await started();
    await worked();
    expect(Object.fromEntries(page())).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', resource: upstream.url });
    expect(page().get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect([page().get('client_id'), page().get('state')]).not.toContain(null);
    expect(upstream.audiences).toEqual([upstream.url]);
    await worked(undefined, person.absent());
    expect([person.pages.length, person.answers, upstream.tokens.length]).toEqual([1, [200], 1]);
  });

  it('keeps the log-in where only the user can read it', async () => {
    await started();
    await worked();
    expect(files().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
    expect(statSync(join(place.folder, 'logins')).mode & 0o777).toBe(0o700);
  });

  it('keeps it encrypted where there are keys, and reads it with no others', async () => {
    await started();
    const keysOf = (secret: string) => ({ ring: createKeyRing(secret.repeat(32)), writes: true });
    await worked(undefined, person.logins(keysOf('a')));
    const [kept = ''] = files().map((file) => readFileSync(file, 'utf8'));
    expect(upstream.tokens).toHaveLength(1);
    expect(kept).not.toMatch(/token|\{/);
    await worked(undefined, person.logins(keysOf('a')));
    const other = await rejection(place.one({ url: upstream.url }, { logins: person.logins(keysOf('b')) }));
    expect(String(other)).toContain('was encrypted with a key that LONGHAUL_KEYS does not have');
    expect(person.pages).toHaveLength(1);
  });

  it.each([
    ['a client and the scopes of the file', {}, { ...LOGIN, clientId: PUBLIC_CLIENT, scopes: ['reports:read'] }],
    ['the scopes of a challenge', { challenge: 'Bearer error="invalid_token", scope="reports:read"' }, undefined],
  ])('is asked for %s', async (_what, options, auth) => {
    await started(options);
    await worked(auth);
    expect(page().get('scope')).toContain('reports:read');
    if (auth !== undefined) expect(page().get('client_id')).toBe(PUBLIC_CLIENT);
  });

  it('gets the next token without the person, and only one by several processes at once', async () => {
    let good: string | undefined;
    await started({ accepts: (token) => good === undefined || token !== good });
    await worked();
    [good] = upstream.tokens;
    await Promise.all([1, 2, 3].map(() => worked(undefined, person.logins())));
    expect([person.pages.length, upstream.tokens.length]).toEqual([1, 2]);
    expect(upstream.audiences).toEqual([upstream.url, upstream.url]);
  });

  it('has the person log in again when nothing gets the next token', async () => {
    const over = new Set<string>();
    await started({ accepts: (token) => !over.has(token) });
    const isGone = { ...LOGIN, clientId: PUBLIC_CLIENT };
    await worked(isGone);
    upstream.tokens.forEach((token) => over.add(token));
    expect(await person.logins().forget(configOf(isGone))).toBe(true);
    expect(await person.logins().forget(configOf(isGone))).toBe(false);
    await worked(isGone);
    expect(person.pages).toHaveLength(2);
  });
});

describe('nobody logs in', () => {
  it('where there is no person', async () => {
    await started();
    const said = String(await rejection(place.one({ url: upstream.url }, { logins: person.absent() })));
    expect(said).toContain('wants credentials, and the file has none for it (HTTP 401, invalid_token)');
    expect(said).toContain('run "longhaul agent login" with its name or URL at a terminal');
  });

  it('in a deployment, which says what it needs instead', async () => {
    await started();
    const said = String(await rejection(place.one({ url: upstream.url, auth: LOGIN })));
    expect(said).toContain('Somebody has to log in to the server "tested" in a browser ("authorization_code")');
    expect(said).toContain('A deployment needs "client_credentials" or "token-exchange".');
    expect(upstream.requests('initialize')).toEqual([]);
  });

  it('to a server that has no authorization server', async () => {
    upstream = await startProtectedServer({ accepts: () => false });
    const said = String(await rejection(place.one({ url: upstream.url }, { logins: person.logins() })));
    expect(said).toContain('(HTTP 401, invalid_token). You cannot log in to it: ');
    expect(said).toContain('it says nothing of its authorization server');
  });

  it('when the person refuses, or leaves', async () => {
    await started();
    person.browse = (at) => {
      const back = new URL(at.searchParams.get('redirect_uri') ?? '');
      back.search = String(
        new URLSearchParams({ error: 'access_denied', state: at.searchParams.get('state') ?? '', iss: authority.issuer }),
      );
      return back;
    };
    const denied = String(await rejection(place.one({ url: upstream.url }, { logins: person.logins() })));
    expect(denied).toContain('The log-in to the server "tested" has failed: its authorization server has refused it (access_denied).');
    person.browse = (at) => {
      person.leave();
      return new URL('/.well-known/openid-configuration', at);
    };
    expect(String(await rejection(place.one({ url: upstream.url }, { logins: person.logins() })))).toContain('The user has left.');
  });
});
