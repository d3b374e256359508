/** Tests how many requests callers may make, and how often an address may send a wrong token, at two gateways together. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { KNOWS_TASKS, modernHeaders, withEnvelope } from '../../support/gateway-2026/rpc.js';
import type { GatewayApp } from '../../support/gateway/gateway.js';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { HEADERS, initializeRequest, type RpcResponse } from '../../support/gateway/rpc.js';

/** None comes back while a test runs. */
const RATE = { perSecond: 1 / 86_400, burst: 40 };
const TOKENS = new Map([
  ['alice-has-this-token', 'alice'],
  ['bob-has-another-token', 'bob'],
]);
const [ALICE, BOB] = TOKENS.keys();

let gateways: TestGateways;
let proxy: TcpProxy | undefined;
const start = async (settings: Parameters<typeof startGateways>[0], options?: Parameters<typeof startGateways>[1]): Promise<void> => {
  gateways = await startGateways({ tokens: TOKENS, ...settings }, options);
};
afterEach(async () => {
  proxy?.restore();
  await gateways.close();
  await proxy?.close();
  proxy = undefined;
});

interface Sent {
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly address?: string;
}

const send = (app: GatewayApp, body: object, { token, headers = {}, address = '203.0.113.7' }: Sent = {}) =>
  app.inject({
    method: 'POST',
    url: '/mcp',
    remoteAddress: address,
    headers: { ...HEADERS, ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    payload: JSON.stringify(body),
  });
const open = async (token = ALICE): Promise<Sent> => {
  const response = await send(gateways.first.app, initializeRequest(), { token });
  return { token, headers: { 'mcp-session-id': String(response.headers['mcp-session-id']) } };
};
const ping = (app: GatewayApp, sent: Sent) => send(app, { jsonrpc: '2.0', id: 1, method: 'ping' }, sent);
const discover = (app: GatewayApp, sent: Sent) =>
  send(
    app,
    { jsonrpc: '2.0', id: 1, method: 'server/discover', params: withEnvelope({}) },
    { ...sent, headers: modernHeaders('server/discover') },
  );
const apps = (): readonly GatewayApp[] => [gateways.first.app, gateways.second.app];
const beside = <T>(count: number, run: (app: GatewayApp, n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => run(apps()[n % 2] ?? gateways.first.app, n)));
const statuses = (answers: readonly { readonly statusCode: number }[]): number[] => answers.map(({ statusCode }) => statusCode);
const countOf = (answers: readonly { readonly statusCode: number }[], status: number): number =>
  statuses(answers).filter((found) => found === status).length;

describe('the requests of a caller', () => {
  beforeEach(() => start({ requestRate: RATE }));

  it('are let through exactly as many as there may be, beside each other over two gateways and both protocol versions', async () => {
    const session = await open();
    const answers = await beside(150, (app, n) => (n % 3 === 0 ? discover(app, { token: ALICE }) : ping(app, session)));
    expect(countOf(answers, 200)).toBe(RATE.burst - 1);
    expect(countOf(answers, 429)).toBe(150 - (RATE.burst - 1));
    expect(statuses([await discover(gateways.second.app, { token: BOB })]), 'another caller').toEqual([200]);
  });

  it('are refused by name, with the time of the next one, on both wires', async () => {
    const session = await open();
    await beside(RATE.burst, (app) => ping(app, session));
    for (const [answer, code] of [
      [await ping(gateways.first.app, session), -32000],
      [await discover(gateways.second.app, session), -31000],
    ] as const) {
      expect(answer.statusCode).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(86_000);
      expect(answer.json<RpcResponse>()).toMatchObject({
        id: 1,
        error: {
          code,
          message: expect.stringContaining('and 40 at once; try again in') as string,
          data: { limit: 'requests', burst: 40, retryable: true, retryAfterMs: expect.any(Number) as number },
        },
      });
    }
  });

  it('are a quarter of the tasks that a stream follows', async () => {
    const taskIds = Array.from({ length: 4 * (RATE.burst - 1) }, () => crypto.randomUUID());
    const method = 'subscriptions/listen';
    const params = withEnvelope({ notifications: { taskIds } }, { capabilities: KNOWS_TASKS });
    const listen = () =>
      send(gateways.first.app, { jsonrpc: '2.0', id: 1, method, params }, { token: ALICE, headers: modernHeaders(method) });
    expect(statuses([await listen(), await listen(), await discover(gateways.second.app, { token: ALICE })])).toEqual([200, 429, 200]);
  });

  it('have no effect and say nothing when they are too many', async () => {
    const session = await open();
    await beside(RATE.burst, (app) => ping(app, session));
    const tool = { name: 'sleep', arguments: {} };
    const get = { taskId: '3f0f9ac8-8c2e-4ff4-9d5f-9f6a3a1c2b4d' };
    const client = { capabilities: KNOWS_TASKS };
    const answers = [
      await send(gateways.first.app, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...tool, task: {} } }, session),
      await send(gateways.first.app, { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: get }, session),
      await send(gateways.first.app, initializeRequest(), { token: ALICE }),
      await send(
        gateways.second.app,
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: withEnvelope(tool, client) },
        { token: ALICE, headers: modernHeaders('tools/call', tool) },
      ),
      await send(
        gateways.second.app,
        { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: withEnvelope(get, client) },
        { token: ALICE, headers: modernHeaders('tasks/get', get) },
      ),
      await gateways.first.app.inject({
        method: 'DELETE',
        url: '/mcp',
        remoteAddress: '203.0.113.7',
        headers: { ...HEADERS, ...session.headers, authorization: `Bearer ${ALICE}` },
      }),
      await gateways.first.app.inject({
        method: 'GET',
        url: '/mcp',
        remoteAddress: '203.0.113.7',
        headers: { ...HEADERS, ...session.headers, authorization: `Bearer ${ALICE}` },
      }),
      await send(gateways.first.app, { jsonrpc: '2.0', method: 'notifications/initialized' }, session),
    ];
    expect(statuses(answers)).toEqual(answers.map(() => 429));
    expect(await gateways.store.views()).toEqual([]);
  });
});

describe('the requests of an address whose callers are not known', () => {
  it('are as many as those of eight callers', async () => {
    gateways = await startGateways({ requestRate: { perSecond: 1 / 86_400, burst: 5 } });
    const answers = await beside(60, (app) => discover(app, {}));
    expect(countOf(answers, 200)).toBe(40);
    expect(statuses([await discover(gateways.first.app, { address: '203.0.113.8' })])).toEqual([200]);
  });
});

describe('requests whose gateway is cut off from Redis', () => {
  it('are refused, and not let through uncounted', async () => {
    await start({ requestRate: RATE }, { redisOfFirst: async (url) => (proxy = await openTcpProxy(url)).url });
    const session = await open();
    proxy?.cut();
    for (const answer of [await ping(gateways.first.app, session), await discover(gateways.first.app, session)]) {
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe('1');
    }
  });
});

describe('wrong tokens from one address', () => {
  const wrong = (n: number): Sent => ({ token: `a-guess-of-a-token-${n}` });
  beforeEach(() => start({ failuresPerMinute: 20 }));

  it('are looked at no more often than they may be, at all gateways together', async () => {
    const answers = await beside(100, (app, n) => discover(app, wrong(n)));
    const looked = countOf(answers, 401);
    expect(looked).toBeGreaterThanOrEqual(20);
    expect(looked, 'some come back within the seconds that this takes').toBeLessThanOrEqual(25);
    expect(looked + countOf(answers, 429)).toBe(100);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused?.json<RpcResponse>().error).toMatchObject({
      message: expect.stringContaining('At most 20 tokens that are not good may come from one address in a minute') as string,
      data: { limit: 'failedAuthentications', perMinute: 20 },
    });
    expect(statuses([await discover(gateways.first.app, { ...wrong(1), address: '203.0.113.8' })]), 'another address').toEqual([401]);
  });

  it('do not shut out a good one that is known', async () => {
    for (const app of apps()) expect(statuses([await discover(app, { token: ALICE })])).toEqual([200]);
    await beside(60, (app, n) => discover(app, wrong(n)));
    expect(statuses(await beside(40, (app) => discover(app, { token: ALICE })))).toEqual(Array.from({ length: 40 }, () => 200));
  });

  it('are counted only while they are wrong, and only where there is a token', async () => {
    for (let n = 0; n < 30; n++) await discover(gateways.first.app, { token: n % 2 === 0 ? ALICE : BOB });
    const answers = await beside(60, (app) => discover(app, {}));
    expect(countOf(answers, 401)).toBe(60);
    expect(statuses([await discover(gateways.second.app, wrong(1))])).toEqual([401]);
  });
});
