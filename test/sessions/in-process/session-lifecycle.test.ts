/** Tests a session from `initialize` to its end, at two gateways. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { allFeatures } from '../../support/gateway/all-features.js';
import { gatewaysForTests, type TestGateway } from '../../support/gateway/gateways.js';
import { initializeRequest, post, rpcSession, type RpcResponse, type RpcSession } from '../../support/gateway/rpc.js';
import { inlineGates } from '../../support/gateway/tools.js';

let first: TestGateway;
let second: TestGateway;
let session: RpcSession;

const gateways = gatewaysForTests({ keepAliveMs: 50, patienceMs: 20 }, { features: allFeatures });
beforeAll(async () => {
  ({ first, second } = gateways);
});
beforeEach(async () => {
  session = await rpcSession(first.app);
});

const at = (): [TestGateway, TestGateway] => [first, second];

async function status(gateway: TestGateway, body: object): Promise<[number, number | undefined]> {
  const response = await post(gateway.app, { jsonrpc: '2.0', ...body }, session.headers);
  return [response.statusCode, response.body === '' ? undefined : response.json<RpcResponse>().error?.code];
}

/** Leaves only what outlives a session by its expiry. */
async function expectNothingLeft(): Promise<void> {
  expect(await first.store.sessionState.names(session.id, '')).toEqual([]);
  const { session: itself, ...left } = Object.fromEntries(await gateways.store.ofSession(session.id));
  expect(itself).toBeUndefined();
  expect(Object.values(left).filter((ms) => ms > 5 * 60_000)).toEqual([]);
}

describe('initialize', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2024-10-07', '2024-10-07'],
    ['1999-12-31', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
    ['nonsense', '2025-11-25'],
  ])('of version %s agrees on %s, which holds at every gateway', async (asked, agreed) => {
    const response = await post(first.app, initializeRequest(asked));
    const sessionId = String(response.headers['mcp-session-id']);
    expect(response.json<RpcResponse>().result?.['protocolVersion']).toBe(agreed);
    for (const { app } of at()) {
      const headers = { 'mcp-session-id': sessionId, 'mcp-protocol-version': agreed };
      expect((await post(app, { jsonrpc: '2.0', id: 1, method: 'ping' }, headers)).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    }
  });

  it('is refused in a session, at every gateway', async () => {
    for (const gateway of at()) expect(await status(gateway, initializeRequest())).toEqual([400, -32600]);
    expect(await status(first, { id: 1, method: 'ping' })).toEqual([200, undefined]);
  });

  it.each(['ping', 'tools/list', 'prompts/list', 'resources/list', 'tasks/list'])(
    'can be followed by %s before the client has said that it is initialized',
    async (method) => {
      for (const gateway of at()) expect(await status(gateway, { id: 1, method })).toEqual([200, undefined]);
      expect(await status(second, { method: 'notifications/initialized' })).toEqual([202, undefined]);
      expect(await status(first, { id: 2, method })).toEqual([200, undefined]);
    },
  );
});

describe('a session that is deleted', () => {
  it('is gone at every gateway at once, with its streams, values, subscriptions and jobs', async () => {
    await session.call('resources/subscribe', { uri: 'feed://a' });
    await session.call('tools/call', { name: 'value', arguments: { name: 'colour', value: 'red' } });
    await session.call('tools/call', { name: 'job', arguments: { job: 'throwing', isToRun: true } });
    const standing = await first.get(session);
    const waiting = await second.post(session, 'in', 'tools/call', { name: 'wait-inline' });
    const task = await first.post(session, 'task', 'tools/call', { name: 'sleep' });
    expect(await second.remove(session)).toBe(200);
    await Promise.all([standing, waiting, task].map((stream) => stream.ended()));

    for (const [stream, id] of [
      [waiting, 'in'],
      [task, 'task'],
    ] as const)
      expect(stream.messages().at(-1)).toMatchObject({ id, error: { code: -32001, message: 'Session not found' } });
    for (const gateway of at()) expect(await status(gateway, { id: 1, method: 'ping' })).toEqual([404, -32001]);
    expect(await first.remove(session)).toBe(404);
    expect((await second.get(session)).response.status).toBe(404);
    await expectNothingLeft();
  });
});

describe('shutdown', () => {
  const shutDown = async () => expect((await session.call('shutdown')).result).toEqual({});

  it('has every further request refused, at every gateway', async () => {
    await shutDown();
    const requests = ['ping', 'tools/list', 'tools/call', 'tasks/list', 'resources/subscribe', 'shutdown', 'no/such', 'initialize'];
    for (const gateway of at())
      for (const method of requests) expect([method, ...(await status(gateway, { id: 1, method }))]).toEqual([method, 400, -32600]);
  });

  it('has the requests of a batch refused as well', async () => {
    session = await rpcSession(first.app, '2025-03-26');
    await shutDown();
    for (const { app } of at()) {
      const batch = [{ jsonrpc: '2.0', id: 'echo', method: 'tools/call', params: { name: 'echo', arguments: { message: 'hi' } } }];
      const response = await post(app, batch, session.headers);

      expect(response.statusCode).toBe(400);
      expect(response.json<RpcResponse>().error?.code).toBe(-32600);
    }
  });

  it('leaves the requests that are under way to end, and takes what they are answered with', async () => {
    const inline = await first.post(session, 'in', 'tools/call', { name: 'release-inline', arguments: { name: 'shut down' } });
    const asking = await first.post(session, 'ask', 'tools/call', { name: 'asking', arguments: { question: 'roots' } });
    const asked = await asking.message('the client is asked', ({ method }) => method === 'roots/list');
    await shutDown();
    inlineGates.get('shut down')?.('finished');
    expect(await second.send(session, { id: asked['id'], result: { roots: [] } })).toBe(202);
    await Promise.all([inline.ended(), asking.ended()]);

    expect(inline.messages().at(-1)).toMatchObject({ id: 'in', result: { content: [{ text: 'finished' }] } });
    expect(asking.messages().at(-1)).toMatchObject({ id: 'ask', result: { content: [{ text: '[]' }] } });
  });

  it('is of its session only', async () => {
    const other = await rpcSession(first.app);
    await shutDown();

    expect((await second.use(other).call('ping')).result).toEqual({});
  });
});

describe('exit', () => {
  it.each([
    ['after shutdown', true],
    ['without shutdown', false],
  ])('%s ends the session everywhere, with its streams', async (_title, isAfterShutdown) => {
    await session.call('tools/call', { name: 'value', arguments: { name: 'colour', value: 'red' } });
    const standing = await first.get(session);
    const waiting = await first.post(session, 'in', 'tools/call', { name: 'wait-inline' });
    if (isAfterShutdown) await session.call('shutdown');
    expect(await second.send(session, { method: 'exit' })).toBe(202);
    await Promise.all([standing.ended(), waiting.ended()]);

    expect(waiting.messages().at(-1)).toMatchObject({ id: 'in', error: { code: -32001 } });
    for (const gateway of at()) expect(await status(gateway, { id: 1, method: 'ping' })).toEqual([404, -32001]);
    for (const gateway of at()) expect(await gateway.send(session, { method: 'exit' })).toBe(404);
    await expectNothingLeft();
  });

  it('in a batch ends the session', async () => {
    session = await rpcSession(first.app, '2025-03-26');
    const response = await post(second.app, [{ jsonrpc: '2.0', method: 'exit' }], session.headers);

    expect(response.statusCode).toBe(202);
    await waitUntil(async () => (await status(first, { id: 1, method: 'ping' }))[0] === 404, { description: 'the session has ended' });
    await expectNothingLeft();
  });
});
