/** Tests that `longhaul agent` logs its user in to servers, and forgets that. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AuthorizationServer, followToCallback } from '../access/support/authorization-server.js';
import { type ProtectedServer, startProtectedServer } from '../servers/support/protected-server.js';
import { waitUntil } from '../support/wait-until.js';
import { AgentPlace, calling } from './support/agent-place.js';

let place: AgentPlace;
let authority: AuthorizationServer;
let upstream: ProtectedServer;
beforeEach(async () => {
  place = new AgentPlace();
  authority = await AuthorizationServer.start({ resource: () => upstream.url, scopes: ['reports:read'] });
  upstream = await startProtectedServer({ issuer: () => authority.issuer });
  await place.script(({ number }) => (number % 2 === 1 ? calling(['work']) : { content: 'It is done.' }));
});
afterEach(async () => {
  await place.close();
  await upstream.close();
  await authority.close();
});

/** What the browser of the user does. */
async function visit(address: string): Promise<void> {
  expect((await fetch(await followToCallback(new URL(address.trim())))).status).toBe(200);
}

it('a user logs in by the browser, works without logging in again, and logs out', async () => {
  const env = { BROWSER: 'none', LONGHAUL_DATA_DIR: join(place.folder, 'data') };
  const work = () => place.run(['--server', upstream.url, '--yes', 'Work'], env);
  const before = await work();
  expect([before.code, before.out]).toEqual([1, '']);
  expect(before.err).toContain('To log in, run "longhaul agent login" with its name or URL at a terminal.');

  const terminal = place.terminal(['--server', upstream.url, '--yes', 'Work'], env);
  await terminal.shows('Log in to 127.0.0.1 in your browser: ');
  await visit(await terminal.shows('\n'));
  await terminal.shows('It is done.');
  expect(await terminal.end()).toBe(0);
  expect((await place.run(['logout', upstream.url], env)).out).toBe('The log-in to 127.0.0.1 is forgotten.\n');

  const login = place.start(['login', upstream.url], env);
  const address = await waitUntil(() => /^Log in to 127\.0\.0\.1 in your browser: (\S+)$/m.exec(login.stderr())?.[1], {
    description: 'the address is shown',
  });
  await visit(address);
  expect((await login.ended).code).toBe(0);
  expect(login.stdout()).toBe('You are logged in to 127.0.0.1.\n');

  expect(await work()).toMatchObject({ code: 0, out: 'It is done.\n' });
  expect(upstream.audiences).toEqual([upstream.url, upstream.url]);
  await place.run(['logout', upstream.url], env);
  expect((await place.run(['logout', upstream.url], env)).out).toBe('You were not logged in to 127.0.0.1.\n');
  expect(await place.run(['login', 'node server.js'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('a log-in needs the URL') as string,
  });
});
