import { openMemoryStore } from '@longhaul/store-sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { InitializeResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { serviceForTests, startService } from '../../support/gateway/gateway.js';
import { HEADERS, initializeRequest, openSession, post, rpcSession, type RpcResponse } from '../../support/gateway/rpc.js';
import { openStream } from '../../support/gateway/stream.js';

let url: string;

const service = serviceForTests({ settings: { keepAliveMs: 20 } });
beforeAll(async () => {
  url = await service.listen();
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

function remove(sessionId: string) {
  return service.app.inject({ method: 'DELETE', url: '/mcp', headers: { host: HEADERS.host, 'mcp-session-id': sessionId } });
}

async function openGet(sessionId: string) {
  return openStream(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': sessionId } });
}

describe('initialize', () => {
  it('opens a session and says who the server is and what it can do', async () => {
    const response = await post(service.app, initializeRequest());
    const result = InitializeResultSchema.parse(response.json<RpcResponse>().result);

    expect(response.headers['mcp-session-id']).toMatch(/^[\x21-\x7e]+$/);
    expect(result.protocolVersion).toBe('2025-11-25');
    expect(result.serverInfo).toEqual({ name: 'longhaul', title: 'Longhaul', version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string });
    expect(result.capabilities).toEqual({
      tools: { listChanged: true },
      logging: {},
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
  });

  it.each(['2025-06-18', '2025-03-26', '2024-11-05'])('agrees on the older version %s', async (version) => {
    const response = await post(service.app, initializeRequest(version));

    expect(response.json<RpcResponse>().result?.['protocolVersion']).toBe(version);
  });

  it('offers its latest version to a client of an unknown one', async () => {
    const response = await post(service.app, initializeRequest('2099-01-01'), { 'mcp-protocol-version': '2099-01-01' });

    expect(response.json<RpcResponse>().result?.['protocolVersion']).toBe('2025-11-25');
  });

  it('says which field is wrong, and opens nothing', async () => {
    const response = await post(service.app, { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } });

    expect(response.headers).not.toHaveProperty('mcp-session-id');
    expect(response.json<RpcResponse>().error).toMatchObject({ code: -32602, message: expect.stringContaining('clientInfo') as string });
  });

  it('refuses a description of the client that is too large to keep', async () => {
    const small = await startService({ settings: { bodyLimitBytes: 1024 * 1024 } });
    const response = await post(small.app, initializeRequest('2025-11-25', { experimental: { x: { text: 'x'.repeat(70_000) } } }));
    await small.close();

    expect(response.json<RpcResponse>().error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/params\.capabilities .* at most 65536 are allowed$/) as string,
    });
  });
});

describe('a session', () => {
  it('takes notifications without an answer', async () => {
    const session = await rpcSession(service.app);
    const response = await post(service.app, { jsonrpc: '2.0', method: 'notifications/initialized' }, session.headers);

    expect(response.statusCode).toBe(202);
    expect(response.body).toBe('');
  });

  it('serves several requests at once', async () => {
    const session = await rpcSession(service.app);
    const responses = await Promise.all([1, 2, 3].map(() => session.call('tools/list')));

    expect(responses.map(({ result }) => Array.isArray(result?.['tools']))).toEqual([true, true, true]);
  });

  it('keeps its log level', async () => {
    const session = await rpcSession(service.app);
    const response = await session.call('logging/setLevel', { level: 'warning' });

    expect(response.result).toEqual({});
    expect(await service.sessions.load(session.id)).toMatchObject({ logLevel: 'warning' });
  });

  it('refuses a log level that there is none of', async () => {
    const session = await rpcSession(service.app);
    const response = await session.call('logging/setLevel', { level: 'loud' });

    expect(response.error).toMatchObject({ code: -32602, message: expect.stringContaining('level') as string });
  });

  it('does not know other methods', async () => {
    const session = await rpcSession(service.app);

    expect((await session.call('prompts/list')).error?.code).toBe(-32601);
    expect((await session.call('tasks/update')).error?.code).toBe(-32601);
    expect((await session.call('__proto__')).error?.code).toBe(-32601);
  });

  it('is gone after DELETE', async () => {
    const id = await openSession(service.app);

    expect((await remove(id)).statusCode).toBe(200);
    expect((await post(service.app, ping, { 'mcp-session-id': id })).statusCode).toBe(404);
    expect((await remove(id)).statusCode).toBe(404);
  });

  it('is gone when nobody used it for its idle time', async () => {
    let now = 1_000;
    const idle = await startService({ sessions: openMemoryStore({ clock: () => now, sessionTtlMs: 60_000 }).gateway.sessions });
    const session = { 'mcp-session-id': await openSession(idle.app) };
    now += 59_999;
    expect((await post(idle.app, ping, session)).statusCode).toBe(200);
    now += 60_000;
    expect((await post(idle.app, ping, session)).statusCode).toBe(404);
    await idle.close();
  });

  it('of revision 2025-03-26 takes batches', async () => {
    const session = await rpcSession(service.app, '2025-03-26');
    const batch = [
      { ...ping, id: 'a' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'echo', arguments: { message: 'hi' } } },
      { jsonrpc: '2.0', id: 'c', method: 'no/such' },
      7,
    ];
    const answers = (await post(service.app, batch, session.headers)).json<RpcResponse[]>();

    expect(answers).toHaveLength(4);
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 'a', result: {} });
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 'b', result: { content: [{ type: 'text', text: 'Echo: hi' }] } });
    expect(answers.find(({ id }) => id === 'c')?.error?.code).toBe(-32601);
    expect(answers.find(({ id }) => id === null)?.error?.code).toBe(-32600);
  });

  it.each([
    ['is empty', []],
    ['has too many messages', Array.from({ length: 101 }, () => ping)],
    ['initializes', [initializeRequest()]],
  ])('refuses a batch that %s', async (_title, batch) => {
    const session = await rpcSession(service.app, '2025-03-26');
    const response = await post(service.app, batch, session.headers);

    expect(response.statusCode).toBe(400);
    expect(response.json<RpcResponse>().error?.code).toBe(-32600);
  });

  it('accepts a batch without requests', async () => {
    const session = await rpcSession(service.app, '2025-03-26');
    const response = await post(service.app, [{ jsonrpc: '2.0', method: 'notifications/initialized' }], session.headers);

    expect(response.statusCode).toBe(202);
  });
});

describe('the standalone stream', () => {
  it('is kept alive, and ends with its session', async () => {
    const id = await openSession(service.app);
    const stream = await openGet(id);

    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.response.headers.get('cache-control')).toContain('no-cache');
    await remove(id);
    await stream.ended();
    expect(stream.messages()).toEqual([]);
  });

  it('ends when its session was ended at another gateway', async () => {
    const id = await openSession(service.app);
    const stream = await openGet(id);
    await service.sessions.end(id);

    await stream.ended();
    expect(stream.text()).toContain(': keep-alive');
  });

  it('is one per session, until it is closed', async () => {
    const id = await openSession(service.app);
    const first = await openGet(id);
    const second = await openGet(id);

    expect(second.response.status).toBe(409);
    first.hangUp();
    await expect
      .poll(async () => {
        const again = await openGet(id);
        again.hangUp();
        return again.response.status;
      })
      .toBe(200);
  });

  it.each([
    ['without a session', {}, 400],
    ['of an unknown session', { 'mcp-session-id': '00000000-0000-4000-8000-000000000000' }, 404],
    ['for a client that takes no streams', { accept: 'application/json' }, 406],
  ])('is refused %s', async (_title, headers, status) => {
    const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers } });

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: {} });
  });
});
