/** Tests pages in browsers, from allowed origins and from others, in both protocol versions. */
import { describe, expect, it } from 'vitest';
import { modernHeaders, withEnvelope } from '../../support/gateway-2026/rpc.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { HEADERS, initializeRequest } from '../../support/gateway/rpc.js';

const PAGE = 'https://app.example.com';
const TOKEN = { authorization: 'Bearer token-of-ada-0001' };

const service = serviceForTests({
  settings: { allowedOrigins: [PAGE], patienceMs: 20, tokens: new Map([['token-of-ada-0001', 'ada']]) },
});

const preflight = (origin: string, method = 'POST', asked = 'authorization,content-type,mcp-session-id,mcp-param-region') =>
  service.app.inject({
    method: 'OPTIONS',
    url: '/mcp',
    headers: { host: HEADERS.host, origin, 'access-control-request-method': method, 'access-control-request-headers': asked },
  });
const post = (body: object, headers: Record<string, string> = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...HEADERS, origin: PAGE, ...TOKEN, ...headers },
    payload: JSON.stringify(body),
  });

describe('a preflight', () => {
  it.each(['POST', 'GET', 'DELETE'])('of a page that is served is answered without a token: %s', async (method) => {
    const { statusCode, headers, body } = await preflight(PAGE, method);

    expect([statusCode, body]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'authorization,content-type,mcp-session-id,mcp-param-region',
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('of another page is refused, and says nothing that a browser would take for a yes', async () => {
    const { statusCode, headers } = await preflight('https://evil.example.com');

    expect(statusCode).toBe(403);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('is not what any OPTIONS request is', async () => {
    const headers = { host: HEADERS.host, origin: PAGE, ...TOKEN };
    const response = await service.app.inject({ method: 'OPTIONS', url: '/mcp', headers });

    expect(response.statusCode).toBe(405);
  });
});

describe('an answer to a page', () => {
  const readable = {
    'access-control-allow-origin': PAGE,
    'access-control-expose-headers': 'Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate',
    vary: 'Origin',
  };

  it('shows it the id of its session, and so do all others', async () => {
    const opened = await post(initializeRequest());
    expect(opened.statusCode).toBe(200);
    expect(opened.headers).toMatchObject({ ...readable, 'mcp-session-id': expect.any(String) as string });

    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const call = (name: string, args: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
    const short = await post(call('echo', { message: 'hello' }), session);
    const long = await post(call('count', { to: 20 }), session);
    expect(short.headers).toMatchObject(readable);
    expect(long.headers).toMatchObject({ ...readable, 'content-type': 'text/event-stream' });
    expect(long.body).toContain('counted to 20');
  });

  it('of revision 2026-07-28 can be read as well', async () => {
    const params = { name: 'echo', arguments: { message: 'hello' } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: withEnvelope(params) };
    const response = await post(body, modernHeaders('tools/call', params));

    expect(response.headers).toMatchObject(readable);
    expect(response.body).toContain('Echo: hello');
  });

  it('that refuses it can be read too', async () => {
    const { statusCode, headers } = await post(initializeRequest(), { authorization: 'Bearer wrong' });

    expect(statusCode).toBe(401);
    expect(headers).toMatchObject(readable);
  });

  it('that comes from a foreign page has nothing for it', async () => {
    const { statusCode, headers } = await post(initializeRequest(), { origin: 'https://evil.example.com' });

    expect(statusCode).toBe(403);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});
