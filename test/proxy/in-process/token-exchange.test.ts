/** Tests that a caller's token is exchanged for one of the server, and that the server sees that one alone. */
import { readConfig } from '@longhaul/gateway';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { client2025, client2026, send, type TokenAnswer, type TokenClient } from '../../access/support/requests.js';
import { accessSettings, issuerForTests } from '../../access/support/test-issuer.js';
import { type ExchangeAuthority, startExchangeAuthority } from '../../servers/support/exchange-authority.js';
import { type ProtectedServer, startProtectedServer } from '../../servers/support/protected-server.js';
import { CallerTokens, exchangesTokens, parseServers, type ServerConfig, ServerPool } from '@longhaul/servers';
import { rejection } from '../../client/support/clients.js';
import { Proxies, type ServedProxy } from '../support/proxies.js';

const issuer = issuerForTests();
const proxies = new Proxies();
let authority: ExchangeAuthority;
let upstream: ProtectedServer;
let over: Set<string>;

beforeEach(async () => {
  over = new Set();
  authority = await startExchangeAuthority();
  upstream = await startProtectedServer({ accepts: (token) => token.startsWith('of-') && !over.has(token) });
});
afterEach(async () => {
  await proxies.close();
  await Promise.all([upstream.close(), authority.close()]);
});

/** Without keys, no token of a caller is kept for a task. */
const WITHIN = { '*': { task: 'forbidden' } };

function serve(more: object = {}, env: NodeJS.ProcessEnv = {}): Promise<ServedProxy> {
  const reports = { url: upstream.url, auth: { grant: 'token-exchange', ...authority.auth }, tools: WITHIN, ...more };
  return proxies.serve({ reports }, { service: { settings: accessSettings(readConfig, [issuer.setting()], env) } });
}

const tokenOf = (sub: string, claims: object = {}): Promise<string> => issuer.token({ claims: { sub, ...claims } });
const CALL = { name: 'reports__work', arguments: {} };
const call = (client: TokenClient, token?: string): Promise<TokenAnswer> => client.call('tools/call', CALL, token);
const text = ({ result, error }: TokenAnswer): unknown =>
  error?.message ?? (result?.['content'] as readonly { readonly text: string }[] | undefined)?.[0]?.text;
const calls = () => upstream.requests('tools/call');
const authorizations = () => calls().map(({ headers }) => headers.authorization);
const exchanges = () => authority.asked.filter((form) => form.has('subject_token'));

describe.each([
  ['2025-11-25', client2025],
  ['2026-07-28', client2026],
] as const)('callers of %s', (_version, open) => {
  it('have a token and a connection each, and the server sees neither of their own tokens', async () => {
    const { url } = await serve();
    const own = await Promise.all([tokenOf('ada'), tokenOf('bob')]);
    const [ada, bob] = await Promise.all(own.map(async (token) => open(url, token)));
    for (const client of [ada, bob, ada]) expect(text(await call(client as TokenClient))).toBe('done');
    const [first, second, third] = authorizations();
    expect(first).toMatch(/^Bearer of-ada-/);
    expect(second).toMatch(/^Bearer of-bob-/);
    expect(third).toBe(first);
    const [session, other, again] = calls().map(({ headers }) => headers['mcp-session-id']);
    expect([session === other, session === again]).toEqual([false, true]);
    expect(exchanges().map((form) => form.get('subject_token'))).toEqual(own);
    expect(exchanges()[0]?.get('audience')).toBe('reports');
    const seen = JSON.stringify([
      ...['initialize', 'tools/list', 'tools/call'].flatMap((method) =>
        upstream.requests(method).map(({ headers, params }) => ({ headers, params })),
      ),
      upstream.sent,
    ]);
    for (const token of own) expect(seen).not.toContain(token);
  });
});

it('calls of a caller at the same time exchange its token once', async () => {
  const { url } = await serve();
  const ada = client2026(url, await tokenOf('ada'));
  expect((await Promise.all([1, 2, 3].map(() => call(ada)))).map(text)).toEqual(['done', 'done', 'done']);
  expect(exchanges()).toHaveLength(1);
});

it('tokens with other rights in one session have connections of their own', async () => {
  const { url } = await serve();
  const ada = await client2025(url, await tokenOf('ada', { scope: 'a' }));
  await call(ada);
  await call(ada, await tokenOf('ada', { scope: 'b' }));
  expect(new Set(calls().map(({ headers }) => headers['mcp-session-id'])).size).toBe(2);
});

it('a new token of a caller is exchanged anew, on the same connection', async () => {
  const { url } = await serve();
  const ada = await client2025(url, await tokenOf('ada'));
  await call(ada);
  await call(ada, await tokenOf('ada', { jti: 'another' }));
  expect(new Set(authorizations()).size).toBe(2);
  expect(new Set(calls().map(({ headers }) => headers['mcp-session-id'])).size).toBe(1);
});

it('with a connection for each call, none that waits has the token of another caller', async () => {
  // Only a connection without a session is kept for the next call of anybody.
  await upstream.close();
  upstream = await startProtectedServer({ hasSessions: false });
  const { url } = await serve({ sessions: 'perCall' });
  for (const sub of ['ada', 'bob', 'ada']) expect(text(await call(client2026(url, await tokenOf(sub))))).toBe('done');
  expect(authorizations().map((shown) => shown?.slice(0, 13))).toEqual(['Bearer of-ada', 'Bearer of-bob', 'Bearer of-ada']);
});

it('an exchanged token that the server takes no more is replaced', async () => {
  const { url } = await serve();
  const ada = client2026(url, await tokenOf('ada'));
  await call(ada);
  over.add(authorizations()[0]?.replace('Bearer ', '') ?? '');
  expect(text(await call(ada))).toBe('done');
  expect(exchanges()).toHaveLength(2);
});

it('an exchanged token that has expired is not shown, but another one', async () => {
  authority.lifetimeS = 0;
  const { url } = await serve();
  const ada = client2026(url, await tokenOf('ada'));
  expect([text(await call(ada)), text(await call(ada))]).toEqual(['done', 'done']);
  expect(new Set(authorizations()).size).toBe(2);
  expect(new Set(calls().map(({ headers }) => headers['mcp-session-id'])).size).toBe(1);
});

it.each([
  [
    'a refusal',
    { refusal: 'invalid_grant' },
    'There is no token for the server "reports": its authorization server refuses us (invalid_grant)',
  ],
  ['another kind of token', { issuedType: 'urn:ietf:params:oauth:token-type:saml2' }, 'something else than an access token'],
])('%s of the authorization server is told by the name of the server, which is not called', async (_what, behaviour, message) => {
  const { url } = await serve();
  Object.assign(authority, behaviour);
  const token = await tokenOf('ada');
  const answer = text(await call(client2026(url, token)));
  expect(answer).toContain('server "reports"');
  expect(answer).toContain(message);
  expect(answer).not.toContain(token);
  expect(calls()).toEqual([]);
});

it('a caller without a token of an authorization server is told what it needs', async () => {
  const { url } = await serve({}, { LONGHAUL_TOKENS: 'ada:a-static-token-of-32-characters-x' });
  const answer = text(await call(client2026(url, 'a-static-token-of-32-characters-x')));
  expect(answer).toContain('There is no token of a caller to exchange for one of the server "reports".');
  expect(exchanges()).toEqual([]);
  expect((await send(url, {}, {})).status).toBe(401);
});

it('without keys, a tool that would be a task is refused at the start and in the call, by what has to be set', async () => {
  const { url, warnings } = await serve({ tools: {} });
  const line = 'The tool "work" of the server "reports" is refused: it would be a task, for which the token of a caller is kept encrypted';
  expect(warnings.filter((each) => each.includes(line))).toHaveLength(1);
  const answer = text(await call(client2026(url, await tokenOf('ada'))));
  expect(answer).toContain(line);
  expect(answer).toContain('Set LONGHAUL_KEYS');
  expect(authority.asked.filter((form) => form.has('subject_token'))).toEqual([]);
});

function configOf(): ServerConfig {
  const reports = { url: upstream.url, auth: { grant: 'token-exchange', ...authority.auth } };
  const [config] = parseServers(JSON.stringify({ mcpServers: { reports } }), { from: 'x.json', env: {} }).servers;
  if (config === undefined) throw new Error('The server is not read.');
  return config;
}

it('a connection for no caller in particular is refused by name, with nothing sent to the server', async () => {
  const pool = new ServerPool();
  const error = await rejection(pool.lease({ config: configOf(), key: 'of a task', handlers: {}, owns: () => true }));
  await pool.close();
  expect(error).toMatchObject({ name: 'ServerAuthError', server: 'reports' });
  expect([upstream.tokens, upstream.requests('initialize'), authority.asked]).toEqual([[], [], []]);
});

it('as many tokens are kept as allowed, and the one that was used the longest time ago goes first', async () => {
  const config = configOf();
  if (!exchangesTokens(config)) throw new Error('The server has another grant.');
  const tokens = new CallerTokens(2);
  const [ada, bob, eve] = await Promise.all(['ada', 'bob', 'eve'].map((sub) => tokenOf(sub)));
  const shown = async (caller: string, token = ''): Promise<string> =>
    (await tokens.of(config, caller, token).headers())['authorization'] ?? '';
  const first = await shown('ada', ada);
  const second = await shown('bob', bob);
  expect(await shown('ada', ada)).toBe(first);
  await shown('eve', eve);
  expect(await shown('ada', ada)).toBe(first);
  expect(await shown('bob', bob)).not.toBe(second);
});
