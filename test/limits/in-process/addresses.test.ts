/** Tests the common limits of clients of one address, without authentication. */
import { afterEach, describe, expect, it } from 'vitest';
import { ask, KNOWS_TASKS } from '../../support/gateway-2026/rpc.js';
import { startService, type TestService } from '../../support/gateway/gateway.js';
import { HEADERS, initializeRequest, rpcSession, type RpcResponse } from '../../support/gateway/rpc.js';

let service: TestService;
afterEach(() => service.close());

interface From {
  readonly remoteAddress?: string;
  readonly forwardedFor?: string;
  readonly capabilities?: Record<string, unknown>;
}

const open = ({ remoteAddress = '203.0.113.7', forwardedFor, capabilities }: From = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/mcp',
    remoteAddress,
    headers: { ...HEADERS, ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }) },
    payload: JSON.stringify(initializeRequest('2025-11-25', capabilities)),
  });
const statuses = async (count: number, from?: From): Promise<number[]> => {
  const found: number[] = [];
  for (let n = 0; n < count; n++) found.push((await open(from)).statusCode);
  return found;
};

describe('sessions that one address opens', () => {
  it('are refused beyond their rate, with the limit and when to try again', async () => {
    service = await startService({ settings: { sessionsPerHour: 2 } });
    expect(await statuses(2)).toEqual([200, 200]);

    const refused = await open();
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).not.toHaveProperty('mcp-session-id');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1_700);
    expect(refused.json<RpcResponse>().error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(
        /^At most 2 sessions may be opened in an hour; try again in \d+ s, or use one that is open\.$/,
      ) as string,
      data: { retryable: true, retryAfterMs: expect.any(Number) as number },
    });
    expect(await statuses(1, { remoteAddress: '203.0.113.8' })).toEqual([200]);
  });

  it('count as several when their clients have much to say of themselves', async () => {
    service = await startService({ settings: { sessionsPerHour: 100 } });
    const capabilities = { experimental: { much: { text: 'x'.repeat(60_000) } } };
    expect(await statuses(2, { capabilities })).toEqual([200, 429]);
    expect(await statuses(1), 'a small one').toEqual([200]);
  });

  it('of one IPv6 network count together', async () => {
    service = await startService({ settings: { sessionsPerHour: 1 } });
    expect(await statuses(1, { remoteAddress: '2001:db8:1:2::1' })).toEqual([200]);
    expect(await statuses(1, { remoteAddress: '2001:db8:1:2::2' })).toEqual([429]);
    expect(await statuses(1, { remoteAddress: '2001:db8:1:3::1' })).toEqual([200]);
  });

  it('count for the address that the proxies in front of the gateway name, and for no other one', async () => {
    service = await startService({ settings: { sessionsPerHour: 1, proxyHops: 1 } });
    expect(await statuses(1, { forwardedFor: '198.51.100.1' })).toEqual([200]);
    expect(await statuses(1, { forwardedFor: '198.51.100.2' })).toEqual([200]);
    expect(await statuses(1, { forwardedFor: '192.0.2.99, 198.51.100.1' }), 'what the client itself says').toEqual([429]);
  });

  it('count for the connection when there is no proxy, no matter what a header says', async () => {
    service = await startService({ settings: { sessionsPerHour: 1 } });
    expect(await statuses(1, { forwardedFor: '198.51.100.1' })).toEqual([200]);
    expect(await statuses(1, { forwardedFor: '198.51.100.2' })).toEqual([429]);
  });
});

describe('tasks of one address', () => {
  const note = { note: 'x'.repeat(30_000) };

  it('may take no more bytes in several sessions than those of one owner', async () => {
    service = await startService({ limits: { historyBytes: 100_000 } });
    const results: (string | undefined)[] = [];
    for (let n = 0; n < 4; n++) {
      const session = await rpcSession(service.app);
      const { error } = await session.call('tools/call', { name: 'sleep', task: {}, arguments: note });
      results.push(error?.message);
    }
    const refusal = 'The histories of all your tasks may take at most 100000 bytes; try again when some have expired.';
    expect(results).toEqual([undefined, undefined, undefined, refusal]);
    const [counted] = service.created;
    expect(counted?.accounts).toHaveLength(2);
  });

  it('may be as many in several sessions as those of eight owners, and make room when they end', async () => {
    service = await startService({ limits: { concurrentTasks: 1 } });
    const create = async () => {
      const session = await rpcSession(service.app);
      return { session, answer: await session.call('tools/call', { name: 'sleep', task: {} }) };
    };
    const [first] = await Promise.all(Array.from({ length: 8 }, create));
    expect((await create()).answer.error?.message).toBe('At most 8 tasks may be unfinished at the same time.');

    const taskId = service.created[0]?.taskId;
    const owner = service.created[0]?.owner ?? '';
    expect(first).toBeDefined();
    await service.tasks.cancel(taskId ?? '', { owner });
    expect((await create()).answer.error).toBeUndefined();
  });

  it('count for the address alone in revision 2026-07-28, where strangers have no sessions that keep them apart', async () => {
    service = await startService({ limits: { concurrentTasks: 1 } });
    const create = () => ask(service.app, 'tools/call', { name: 'sleep' }, { capabilities: KNOWS_TASKS });
    const answers = await Promise.all(Array.from({ length: 9 }, create));
    const refused = answers.flatMap(({ body }) => (body.error === undefined ? [] : [body.error.message]));
    expect(refused).toEqual(['At most 8 tasks may be unfinished at the same time.']);
    expect(service.created[0]?.accounts).toEqual([expect.stringMatching(/^address:[\w-]{22}$/)]);
  });
});
