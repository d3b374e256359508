import { beforeAll, describe, expect, it } from 'vitest';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { HEADERS, initializeRequest, openSession, post, type RpcResponse } from '../../support/gateway/rpc.js';

let session: Record<string, string>;

const service = serviceForTests();
beforeAll(async () => {
  session = { 'mcp-session-id': await openSession(service.app) };
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const UNKNOWN_SESSION = '00000000-0000-4000-8000-000000000000';

describe('a POST is refused with a JSON-RPC error', () => {
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const cases: { title: string; body: unknown; headers?: Record<string, string>; status: number; code: number }[] = [
    { title: 'when it is not JSON', body: '{"jsonrpc":', status: 400, code: -32700 },
    { title: 'when it is empty', body: '', status: 400, code: -32700 },
    { title: 'when it is not an object', body: '"ping"', status: 400, code: -32600 },
    { title: 'when it is null', body: 'null', status: 400, code: -32600 },
    { title: 'when it is not JSON-RPC 2.0', body: { id: 1, method: 'ping' }, status: 400, code: -32600 },
    { title: 'when its id is null', body: { ...ping, id: null }, status: 400, code: -32600 },
    { title: 'when its id is an object', body: { ...ping, id: {} }, status: 400, code: -32600 },
    { title: 'when its id is a fraction', body: { ...ping, id: 1.5 }, status: 400, code: -32600 },
    { title: 'when its method is a number', body: { ...ping, method: 7 }, status: 400, code: -32600 },
    { title: 'when its params are an array', body: { ...ping, params: [1] }, status: 400, code: -32600 },
    { title: 'when it is neither request nor response', body: { jsonrpc: '2.0', id: 1 }, status: 400, code: -32600 },
    {
      title: 'when it is nested too deeply',
      body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${nested}}}`,
      status: 400,
      code: -32600,
    },
    { title: 'when it is too large', body: { ...ping, params: { text: 'x'.repeat(70_000) } }, status: 413, code: -32000 },
    { title: 'when the client takes neither JSON nor streams', body: ping, headers: { accept: 'text/html' }, status: 406, code: -32000 },
    {
      title: 'when the client refuses both',
      body: ping,
      headers: { accept: 'application/json;q=0, text/event-stream;q=0, */*' },
      status: 406,
      code: -32000,
    },
    { title: 'when it is sent as text', body: ping, headers: { 'content-type': 'text/plain' }, status: 415, code: -32000 },
    {
      title: 'when JSON is only a parameter of its type',
      body: ping,
      headers: { 'content-type': 'text/plain; a=application/json' },
      status: 415,
      code: -32000,
    },
    {
      title: 'when the protocol version is unknown',
      body: ping,
      headers: { 'mcp-protocol-version': '1999-01-01' },
      status: 400,
      code: -32000,
    },
    { title: 'when the session is unknown', body: ping, headers: { 'mcp-session-id': UNKNOWN_SESSION }, status: 404, code: -32001 },
    { title: 'when the session id has no valid form', body: ping, headers: { 'mcp-session-id': '*' }, status: 404, code: -32001 },
    { title: 'when it initializes a session again', body: initializeRequest(), status: 400, code: -32600 },
    { title: 'when it comes from a foreign host name', body: ping, headers: { host: 'evil.example.com' }, status: 403, code: -32000 },
    { title: 'when it comes from a foreign page', body: ping, headers: { origin: 'http://evil.example.com' }, status: 403, code: -32000 },
    { title: 'when its origin is opaque', body: ping, headers: { origin: 'null' }, status: 403, code: -32000 },
    { title: 'when it is a batch in a session that has none', body: [ping], status: 400, code: -32600 },
  ];

  it.each(cases)('$title', async ({ body, headers, status, code }) => {
    const response = await post(service.app, body, { ...session, ...headers });

    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toContain('application/json');
    expect(response.json<RpcResponse>()).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  it('when it names no session', async () => {
    const response = await post(service.app, ping);

    expect(response.statusCode).toBe(400);
    expect(response.json<RpcResponse>().error).toMatchObject({ code: -32000 });
  });

  it('with the id of the message, when that is usable', async () => {
    const response = await post(service.app, { id: 'mine', method: 'ping' }, session);

    expect(response.json<RpcResponse>().id).toBe('mine');
  });
});

describe('a POST with much too large a body', () => {
  it('is answered all the same, each time', async () => {
    const url = await service.listen();
    const { host: _host, ...headers } = { ...HEADERS, ...session };
    const body = JSON.stringify({ ...ping, params: { text: 'x'.repeat(5 * 1024 * 1024) } });
    for (let tries = 0; tries < 10; tries++) {
      const response = await fetch(url, { method: 'POST', headers, body });
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error: { code: -32000, message: expect.stringContaining('65536 bytes') as string } });
    }
  });
});

describe('a POST is served', () => {
  it.each([
    ['with a charset in its content type', { 'content-type': 'application/json; charset=utf-8' }],
    ['under another loopback name', { host: 'localhost:8080' }],
    ['under the IPv6 loopback address', { host: '[::1]:3000' }],
    ['from a page on this machine', { origin: 'http://localhost:6274' }],
    ['for every supported protocol version', { 'mcp-protocol-version': '2025-06-18' }],
    ['with headers that mean nothing', { 'last-event-id': '\u00ff', traceparent: 'nonsense', 'x-weird': '"; {' }],
  ])('%s', async (_title, headers) => {
    const response = await post(service.app, ping, { ...session, ...headers });

    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('with duplicate and prototype keys, of which nothing remains', async () => {
    const body = '{"jsonrpc":"2.0","id":0,"id":2,"method":"ping","__proto__":{"x":1},"params":{"__proto__":{"y":1},"constructor":{}}}';
    const response = await post(service.app, body, session);

    expect(response.json()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    expect({}).not.toHaveProperty('x');
    expect({}).not.toHaveProperty('y');
  });

  it('with very long keys', async () => {
    const response = await post(service.app, { ...ping, params: { ['k'.repeat(50_000)]: 1 } }, session);

    expect(response.statusCode).toBe(200);
  });
});

describe('other requests to the server', () => {
  it('get the methods of the endpoint', async () => {
    const response = await service.app.inject({ method: 'PUT', url: '/mcp', headers: HEADERS });

    expect(response.statusCode).toBe(405);
    expect(response.headers['allow']).toBe('GET, POST, DELETE');
  });

  it.each(['/', '/%', '/signals/%', '/%ED%A0%80', `/${'x'.repeat(9_000)}`])('get the path of the endpoint: %s', async (url) => {
    const response = await service.app.inject({ method: 'GET', url });

    expect(response.statusCode).toBe(404);
    expect(response.json<RpcResponse>().error?.message).toContain('/mcp');
  });
});
