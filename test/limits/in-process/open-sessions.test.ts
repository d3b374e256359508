/** Tests the limit of open sessions of an account, as a client sees it. */
import { afterEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { HEADERS, initializeRequest, type RpcResponse } from '../../support/gateway/rpc.js';

describe('the open sessions of a caller', () => {
  let gateways: TestGateways;
  afterEach(() => gateways.close());

  const open = (at: 'first' | 'second' = 'first', address = '203.0.113.7') =>
    gateways[at].app.inject({ method: 'POST', url: '/mcp', remoteAddress: address, headers: HEADERS, payload: initializeRequest() });

  it('are refused beyond their number, at all gateways, until one has ended', async () => {
    gateways = await startGateways({ openSessions: 2 });
    const first = await open('first');
    expect([first.statusCode, (await open('second')).statusCode]).toEqual([200, 200]);
    const refused = await open('second');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({ 'retry-after': '10' });
    expect(refused.headers).not.toHaveProperty('mcp-session-id');
    expect(refused.json<RpcResponse>().error).toMatchObject({
      code: -32000,
      message: 'At most 2 sessions may be open at the same time; end one by DELETE, or use one.',
      data: { limit: 'sessions', most: 2 },
    });
    expect((await open('first', '203.0.113.8')).statusCode, 'another address').toBe(200);
    await gateways.second.app.inject({
      method: 'DELETE',
      url: '/mcp',
      remoteAddress: '203.0.113.9',
      headers: { ...HEADERS, 'mcp-session-id': String(first.headers['mcp-session-id']) },
    });
    expect((await open()).statusCode, 'one has ended, from another address').toBe(200);
    expect((await open()).statusCode).toBe(429);
  });

  it('are free again when nobody has used them', async () => {
    gateways = await startGateways({ openSessions: 1 }, { idleMs: 300 });
    expect((await open()).statusCode).toBe(200);
    expect((await open()).statusCode).toBe(429);
    await waitUntil(async () => (await open()).statusCode === 200, { description: 'the first is over' });
  });
});
