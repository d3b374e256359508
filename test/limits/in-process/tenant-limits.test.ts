/** Tests that an operator's limits of a tenant apply to its callers, at all gateways, without a restart. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { HEADERS, initializeRequest, type RpcResponse } from '../../support/gateway/rpc.js';

const TOKENS = new Map([
  ['alice-has-this-token', 'alice'],
  ['bob-has-another-token', 'bob'],
]);
const [ALICE = '', BOB = ''] = TOKENS.keys();

let gateways: TestGateways;
beforeEach(async () => {
  gateways = await startGateways({
    tokens: TOKENS,
    tenants: { default: { unfinishedTasks: 3 }, tenants: { bob: { unfinishedTasks: 2, requestsPerSecond: null } } },
  });
});
afterEach(() => gateways.close());

const send = (token: string, body: object, at: 'first' | 'second', headers: Record<string, string> = {}) =>
  gateways[at].app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...HEADERS, ...headers, authorization: `Bearer ${token}` },
    payload: JSON.stringify(body),
  });
const open = async (token: string, at: 'first' | 'second' = 'first'): Promise<Record<string, string>> => {
  const response = await send(token, initializeRequest(), at);
  return { 'mcp-session-id': String(response.headers['mcp-session-id']) };
};
const call = (token: string, session: Record<string, string>, at: 'first' | 'second' = 'first') =>
  send(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sleep', task: {} } }, at, session);
const errorsOf = async (count: number, token: string, session: Record<string, string>): Promise<readonly unknown[]> => {
  const errors: unknown[] = [];
  for (let n = 0; n < count; n++) {
    const { error } = (await call(token, session, n % 2 === 0 ? 'first' : 'second')).json<RpcResponse>();
    if (error !== undefined) errors.push(error.message);
  }
  return errors;
};
const atMost = (tasks: number): string => `At most ${tasks} tasks may be unfinished at the same time.`;

describe('the limits of a tenant', () => {
  it('are those of the configuration, for it and for all', async () => {
    expect(await errorsOf(4, ALICE, await open(ALICE))).toEqual([atMost(3)]);
    expect(await errorsOf(4, BOB, await open(BOB))).toEqual([atMost(2), atMost(2)]);
  });

  it('change while everything runs, and change back', async () => {
    const session = await open(ALICE);
    expect(await errorsOf(4, ALICE, session)).toEqual([atMost(3)]);
    await gateways.second.store.tenants.set('alice', { unfinishedTasks: 5 });
    const created = async (at: 'first' | 'second'): Promise<boolean> =>
      (await call(ALICE, session, at)).json<RpcResponse>().result !== undefined;
    await waitUntil(() => created('first'), { description: 'the first gateway knows' });
    await waitUntil(() => created('second'), { description: 'the second gateway knows' });
    expect(await errorsOf(2, ALICE, session)).toEqual([atMost(5), atMost(5)]);
    await gateways.second.store.tenants.set('alice');
    await waitUntil(async () => (await errorsOf(1, ALICE, session))[0] === atMost(3), { description: 'what is configured holds again' });
  });

  it('are of requests and sessions too', async () => {
    const session = await open(ALICE);
    const ping = async (): Promise<number> => (await send(ALICE, { jsonrpc: '2.0', id: 1, method: 'ping' }, 'first', session)).statusCode;
    await gateways.first.store.tenants.set('alice', { sessionsPerHour: 1 });
    await waitUntil(async () => (await send(ALICE, initializeRequest(), 'first')).statusCode === 429, { description: 'no more sessions' });
    const sessions = (await send(ALICE, initializeRequest(), 'first')).json<RpcResponse>();
    expect(sessions.error?.message).toContain('At most 1 sessions may be opened in an hour');

    await gateways.first.store.tenants.set('alice', { requestsPerSecond: 1, requestBurst: 1 });
    await waitUntil(async () => (await Promise.all([ping(), ping(), ping()])).includes(429), { description: 'few requests' });
    expect((await send(BOB, initializeRequest(), 'first')).statusCode, 'another tenant').toBe(200);
    await gateways.first.store.tenants.set('alice', { requestsPerSecond: null });
    await waitUntil(async () => (await Promise.all([ping(), ping(), ping()])).every((status) => status === 200), {
      description: 'any number',
    });
  });
});
