/** Tests tasks that call a server with a token for which the caller's own was exchanged: the token is kept for them, and renewed. */
import { readConfig } from '@longhaul/gateway';
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { openProxy, type Proxy } from '@longhaul/proxy';
import { CallerTokens, type ExchangingServer, exchangesTokens, KeptTokens, parseServers } from '@longhaul/servers';
import { createOwnerStore } from '@longhaul/sessions';
import { openMemoryStore } from '@longhaul/store-sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { client2025, client2026, type TokenClient } from '../../access/support/requests.js';
import { accessSettings, issuerForTests } from '../../access/support/test-issuer.js';
import { rejection } from '../../client/support/clients.js';
import { type ExchangeAuthority, startExchangeAuthority } from '../../servers/support/exchange-authority.js';
import { type ProtectedServer, startProtectedServer } from '../../servers/support/protected-server.js';
import { startService, type TestService } from '../../support/gateway/gateway.js';

const issuer = issuerForTests();
const services: TestService[] = [];
const proxies: Proxy[] = [];
let authority: ExchangeAuthority;
let upstream: ProtectedServer;
let over: Set<string>;

beforeEach(async () => {
  over = new Set();
  authority = await startExchangeAuthority();
  upstream = await startProtectedServer({ accepts: (token) => token.startsWith('of-') && !over.has(token) });
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  for (const proxy of proxies.splice(0)) await proxy.close();
  await Promise.all([upstream.close(), authority.close()]);
});

function configs() {
  const reports = { url: upstream.url, auth: { grant: 'token-exchange', ...authority.auth } };
  return parseServers(JSON.stringify({ mcpServers: { reports } }), { from: 'x.json', env: {} }).servers;
}

function proxy(): Proxy {
  const made = openProxy({ servers: configs(), isAlone: false, warn: () => undefined, resourceUpdated: () => undefined });
  proxies.push(made);
  return made;
}

/** A gateway and a worker that share nothing but the store. */
async function deployment(): Promise<{ service: TestService; url: string }> {
  const [ofGateway, ofWorker] = [proxy(), proxy()];
  const service = await startService({
    features: createFeatureRegistry(ofGateway.catalogue),
    workerFeatures: createFeatureRegistry(ofWorker.catalogue),
    settings: accessSettings(readConfig, [issuer.setting()]),
  });
  services.push(service);
  const store = { ...service.store, encrypts: true };
  await ofWorker.join({ process: { id: 'worker', role: 'worker' }, store, warn: () => undefined });
  await ofGateway.join({ process: { id: 'gateway', role: 'gateway' }, store, warn: () => undefined });
  await ofGateway.catalogue.open(60_000);
  return { service, url: await service.listen() };
}

const tokenOf = (sub: string, claims: object = {}): Promise<string> => issuer.token({ claims: { sub, ...claims } });
/** A client that knows no tasks, so that its call waits. */
const client = async (url: string, sub: string, claims: object = {}): Promise<TokenClient> =>
  client2026(url, await tokenOf(sub, claims), {});
const call = async (of: TokenClient, token?: string): Promise<string> => {
  const { result, error } = await of.call('tools/call', { name: 'reports__work', arguments: {} }, token);
  return error?.message ?? (result?.['content'] as readonly { readonly text: string }[] | undefined)?.[0]?.text ?? '';
};
const calls = () => upstream.requests('tools/call');
const shown = () => calls().map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '');
const asked = (member: string) => authority.asked.filter((form) => form.has(member));

describe.each([
  ['2025-11-25', client2025],
  ['2026-07-28', (url: string, token: string) => client2026(url, token, {})],
] as const)('tasks of callers of %s', (_version, open) => {
  it('call a server with a token of their caller, on a connection of its own, and nothing has the own token of a caller', async () => {
    const { service, url } = await deployment();
    const own = await Promise.all([tokenOf('ada'), tokenOf('bob'), tokenOf('ada', { scope: 'more' })]);
    for (const token of own) expect(await call(await open(url, token))).toBe('done');
    expect(service.created.map(({ tool }) => tool)).toEqual(own.map(() => 'reports__work'));
    expect(shown().map((token) => token.slice(0, 6))).toEqual(['of-ada', 'of-bob', 'of-ada']);
    expect(new Set(shown()).size).toBe(3);
    expect(new Set(calls().map(({ headers }) => headers['mcp-session-id'])).size).toBe(3);
    const histories = await Promise.all(service.created.map(({ taskId }) => service.store.events.read(taskId)));
    const said = JSON.stringify([histories, service.created, service.logs, upstream.sent, calls().map(({ headers }) => headers)]);
    expect(histories.map((events) => events.at(-1)?.type)).toEqual(own.map(() => 'TaskCompleted'));
    for (const token of own) expect(said).not.toContain(token);
    for (const token of shown()) expect(JSON.stringify([histories, service.created, service.logs])).not.toContain(token);
  });
});

describe('a token that the server takes no more', () => {
  it('is renewed for a task', async () => {
    authority.renews = true;
    const { url } = await deployment();
    const ada = await client(url, 'ada');
    await call(ada);
    over.add(shown()[0] ?? '');
    expect(await call(ada)).toBe('done');
    expect(asked('subject_token')).toHaveLength(1);
    expect(asked('refresh_token')).toHaveLength(1);
  });

  it('ends a task by name where nothing renews it, until the caller shows another one', async () => {
    const { service, url } = await deployment();
    const ada = await client(url, 'ada');
    await call(ada);
    over.add(shown()[0] ?? '');
    const answer = await call(ada);
    expect(answer).toMatch(/^CREDENTIALS_EXPIRED: For the caller, there is no token of the server "reports" any more: /);
    expect(answer).toContain('Call the tool again.');
    expect(answer).not.toContain(shown()[0]);
    const ended = await Promise.all(service.created.map(({ taskId }) => service.store.events.readOutcome(taskId)));
    expect(JSON.stringify(ended[1])).toContain('CREDENTIALS_EXPIRED');
    expect(await call(ada, await tokenOf('ada', { jti: 'another' }))).toBe('done');
  });
});

describe('kept tokens', () => {
  const store = openMemoryStore();
  afterEach(() => store.ownerRecords.clear('longhaul/caller-tokens/a'));

  function placeOf(caller: string): { config: ExchangingServer; caller: string; account: string } {
    const [config] = configs();
    if (config === undefined || !exchangesTokens(config)) throw new Error('The server is not read.');
    return { config, caller, account: 'a' };
  }
  const shownBy = async (tokens: KeptTokens, caller: string): Promise<string | undefined> =>
    (await tokens.credentials(placeOf(caller)).headers())['authorization'];
  /** As another process has it. */
  const owners = () => createOwnerStore(store.ownerRecords);
  const records = () => owners().of({ id: 'longhaul/caller-tokens/a' }).collection('tokens');
  /** A refresh token that the authorization server knows. */
  async function renewable(): Promise<string> {
    authority.renews = true;
    const { refreshToken = '' } = await new CallerTokens().lasting(placeOf('ada').config, 'ada', await tokenOf('ada'));
    return refreshToken;
  }

  it('are renewed by one process at a time, before they expire', async () => {
    let nowMs = Date.now();
    const processes = [1, 2, 3].map(() => new KeptTokens(owners(), () => nowMs));
    const [first] = processes as [KeptTokens];
    await first.put(placeOf('ada'), { token: 'of-ada-0', expiresAt: nowMs + 100_000, gotAt: nowMs, refreshToken: await renewable() });
    expect(await shownBy(first, 'ada')).toBe('Bearer of-ada-0');
    nowMs += 90_000;
    const renewed = await Promise.all(processes.map((each) => shownBy(each, 'ada')));
    expect(asked('refresh_token')).toHaveLength(1);
    expect(renewed.every((each) => each?.startsWith('Bearer of-ada-'))).toBe(true);
    nowMs += 20_000;
    const later = await Promise.all(processes.map((each) => shownBy(each, 'ada')));
    expect(new Set(later).size).toBe(1);
    expect(later[0]).not.toBe('Bearer of-ada-0');
    expect(asked('refresh_token')).toHaveLength(1);
  });

  it('are renewed by another process when one dies while it renews them', async () => {
    let nowMs = Date.now();
    const refreshToken = await renewable();
    const tokens = new KeptTokens(owners(), () => nowMs);
    await tokens.put(placeOf('ada'), { token: 'of-ada-0', expiresAt: nowMs, gotAt: nowMs - 1_000, refreshToken });
    await records().update((all) => ({
      changes: [...all].map(([id, record]) => ({ id, value: { ...(record as object), turn: { of: 'dead', until: nowMs + 60_000 } } })),
      result: undefined,
    }));
    const waiting = shownBy(tokens, 'ada');
    nowMs += 60_000;
    expect(await waiting).toMatch(/^Bearer of-ada-/);
  });

  it('that have expired are not shown, nor those of another caller or for another URL', async () => {
    const now = Date.now();
    const tokens = new KeptTokens(owners());
    await tokens.put(placeOf('bob'), { token: 'of-bob-0', gotAt: now });
    await tokens.put(placeOf('ada'), { token: 'of-ada-0', expiresAt: now - 1, gotAt: now - 1_000 });
    expect(String(await rejection(shownBy(tokens, 'ada')))).toContain('it has expired, and nothing renews it');
    expect(String(await rejection(shownBy(tokens, 'eve')))).toContain('none is kept');
    const bob = placeOf('bob');
    const elsewhere = { ...bob, config: { ...bob.config, url: 'https://elsewhere.example/mcp' } };
    expect(await rejection(tokens.credentials(elsewhere).headers())).toMatchObject({ name: 'CredentialsExpired' });
    expect(await shownBy(tokens, 'bob')).toBe('Bearer of-bob-0');
  });

  it('are not replaced by older ones, and are removed when they have expired', async () => {
    const now = Date.now();
    const tokens = new KeptTokens(owners());
    await tokens.put(placeOf('ada'), { token: 'newer', gotAt: now });
    await tokens.put(placeOf('ada'), { token: 'older', gotAt: now - 1_000 });
    expect(await shownBy(tokens, 'ada')).toBe('Bearer newer');
    await tokens.put(placeOf('bob'), { token: 'short', gotAt: now - 1_000, expiresAt: now - 1 });
    await tokens.put(placeOf('eve'), { token: 'last', gotAt: now });
    expect(await records().read((all) => all.size)).toBe(2);
  });

  it('are used while the authorization server is away, until they expire', async () => {
    let nowMs = Date.now();
    const tokens = new KeptTokens(owners(), () => nowMs);
    await tokens.put(placeOf('ada'), { token: 'of-ada-0', expiresAt: nowMs + 100_000, gotAt: nowMs, refreshToken: await renewable() });
    const place = placeOf('ada');
    await authority.close();
    nowMs += 90_000;
    const { headers } = tokens.credentials(place);
    expect((await headers())['authorization']).toBe('Bearer of-ada-0');
    nowMs += 20_000;
    expect(await rejection(headers())).toMatchObject({ name: 'AuthorizationServerAway' });
  });
});
