/** Tests how servers are shown who we are: by secrets of files, and by tokens of a real authorization server. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuthorizationServer, SERVICE_CLIENT } from '../access/support/authorization-server.js';
import { rejection, textOf } from '../client/support/clients.js';
import { forAllTests } from '../support/for-all-tests.js';
import { waitUntil } from '../support/wait-until.js';
import { type ProtectedServer, type ProtectedServerOptions, startProtectedServer } from './support/protected-server.js';
import { startExchangeAuthority } from './support/exchange-authority.js';
import { ServersPlace } from './support/servers.js';

const authority = forAllTests(
  () => AuthorizationServer.start({ resource: () => 'http://nobody.example', scopes: ['reports:read'], lifetimeS: 600 }),
  (server) => server.close(),
);
let place: ServersPlace;
const open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  place = new ServersPlace();
});
afterEach(async () => {
  await place.close();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function started(options: ProtectedServerOptions = {}): Promise<ProtectedServer> {
  const server = await startProtectedServer(options);
  open.push(server);
  return server;
}

function secretFile(text: string): string {
  const path = join(place.folder, 'secret');
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  return path;
}

const CLIENT = { grant: 'client_credentials', clientId: SERVICE_CLIENT.id, clientSecret: SERVICE_CLIENT.secret };

describe('a secret in a file', () => {
  it('is sent in headers as it is now, and again when it was replaced in the moment of a refusal', async () => {
    let good = 'first';
    const upstream = await started({
      accepts: (token) => {
        // The file is replaced after the request was made with what was in it.
        if (good === 'third' && token === 'second') secretFile('third');
        return token === good;
      },
    });
    const path = secretFile('first\n');
    const server = await place.one({ url: upstream.url, headers: { Authorization: `Bearer \${file:${path}}` } });
    good = 'second';
    secretFile('second');
    expect(textOf(await server.callTool('work', {}))).toBe('done');
    good = 'third';
    expect(textOf(await server.callTool('work', {}))).toBe('done');
    expect(upstream.tokens).toEqual(['first', 'second', 'third']);
  });

  it('is a variable of a process, which has what is in the file when it starts', async () => {
    const path = secretFile('of the file');
    const server = await place.one(place.stdio({ env: { SECRET: `\${file:${path}}` } }));
    expect(textOf(await server.callTool('read_environment', {}))).toContain('"SECRET":"of the file"');
  });
});

describe('a token of an authorization server', () => {
  it.each<[string, () => ProtectedServerOptions, object]>([
    ['that the metadata of the server name', () => ({ issuer: () => authority.issuer }), {}],
    ['whose metadata a challenge leads to', () => ({ issuer: () => authority.issuer, metadataPath: '/elsewhere' }), {}],
    ['that the file names', () => ({}), { issuer: 'ISSUER' }],
    ['whose token endpoint the file names', () => ({}), { tokenUrl: 'ISSUER/token' }],
  ])('%s is for the server, and gotten once for all requests', async (_what, options, more) => {
    const upstream = await started(options());
    const auth = JSON.parse(JSON.stringify({ ...CLIENT, scopes: ['reports:read'], ...more }).replace('ISSUER', authority.issuer)) as object;
    const server = await place.one({ url: upstream.url, auth });
    expect(textOf(await server.callTool('work', {}))).toBe('done');
    expect(upstream.audiences).toEqual([upstream.url]);
  });

  it('is given to a client that shows a key, which never leaves us', async () => {
    const upstream = await started();
    const authority = await startExchangeAuthority();
    open.push(authority);
    const server = await place.one({ url: upstream.url, auth: { grant: 'client_credentials', ...authority.auth } });
    expect(textOf(await server.callTool('work', {}))).toBe('done');
    expect(upstream.tokens).toEqual(['of-itself-1']);
    // It lets in only who has signed for it.
    const [form] = authority.asked;
    expect([form?.get('audience'), form?.get('client_secret')]).toEqual(['reports', null]);
  });

  it('is replaced when the server does not take it any more', async () => {
    const over = new Set<string>();
    const upstream = await started({ accepts: (token) => !over.has(token) });
    const server = await place.one({ url: upstream.url, auth: { ...CLIENT, issuer: authority.issuer } });
    upstream.tokens.forEach((token) => over.add(token));
    expect(await Promise.all([1, 2, 3].map(async () => textOf(await server.callTool('work', {}))))).toEqual(['done', 'done', 'done']);
    expect(upstream.tokens).toHaveLength(2);
  });
});

describe('a server that does not accept us', () => {
  it.each([
    ['without credentials in the file', {}, 'wants credentials, and the file has none for it (HTTP 401, invalid_token)'],
    ['with those of the file', { headers: { Authorization: 'Bearer bad' } }, 'does not accept our credentials (HTTP 401, invalid_token)'],
  ])('says so by its name %s', async (_what, more, message) => {
    const upstream = await started({ accepts: () => false });
    const error = await rejection(place.one({ url: upstream.url, ...more }));
    expect(error).toMatchObject({ name: 'ServerAuthError', server: 'tested', message: `The server "tested" ${message}.` });
  });

  it('ends a call by its name, and is asked for another token no more than once', async () => {
    let isOver = false;
    const upstream = await started({ accepts: () => !isOver });
    const server = await place.one({ url: upstream.url, auth: { ...CLIENT, issuer: authority.issuer } });
    isOver = true;
    expect(await rejection(server.callTool('work', {}))).toMatchObject({ name: 'ServerAuthError' });
    expect(await rejection(server.callTool('work', {}))).toMatchObject({ name: 'ServerAuthError' });
    await waitUntil(() => upstream.tokens.length === 2, { description: 'both tokens have come' });
  });

  it('is known by a refused client too, whose secret is not in the message', async () => {
    const upstream = await started();
    const auth = { ...CLIENT, clientSecret: 'a wrong secret', issuer: authority.issuer };
    const error = await rejection(place.one({ url: upstream.url, auth }));
    const message = 'There is no token for the server "tested": its authorization server refuses us (HTTP 401)';
    expect(error).toMatchObject({ name: 'ServerAuthError', message });
    expect(upstream.requests('initialize')).toEqual([]);
  });
});
