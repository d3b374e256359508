/** Tests that connections to servers are shared by those who may, and by nobody else. */
import { parseServers, type LeaseRequest, type ServerConfig, ServerPool, type ServerPoolOptions } from '@longhaul/servers';
import { afterEach, describe, expect, it } from 'vitest';
import { alive } from '../cli/support/launcher.js';
import { rejection, textOf } from '../client/support/clients.js';
import { waitUntil } from '../support/wait-until.js';
import { oddServer } from './support/odd-server.js';

const pools: ServerPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function poolOf(options: ServerPoolOptions = {}): ServerPool {
  const pool = new ServerPool(options);
  pools.push(pool);
  return pool;
}

/** Answers with its process, or with what its client answers to a question. */
const [server] = parseServers(
  JSON.stringify({
    mcpServers: {
      s: oddServer({
        first: `let asker;
          process.stdin.on('data', (data) => {
            for (const line of String(data).split('\\n')) {
              if (!line.includes('"id":"question"')) continue;
              const { result, error } = JSON.parse(line);
              say({ id: asker, result: { content: [{ type: 'text', text: JSON.stringify(result ?? error.code) }] } });
            }
          });`,
        answers: `
          if (method === 'tools/list') return { tools: [tool('pid'), tool('ask')] };
          if (method === 'tools/call' && params.name === 'pid') return { content: [{ type: 'text', text: String(process.pid) }] };
          if (method !== 'tools/call') return;
          asker = id;
          say({ id: 'question', method: 'roots/list' });
          return 'none';`,
      }),
    },
  }),
  { from: 'x.json', env: {} },
).servers;
const config = server as ServerConfig;

const request = (key: string | undefined, more: Partial<LeaseRequest> = {}): LeaseRequest => ({
  config,
  key,
  handlers: {},
  owns: () => false,
  ...more,
});

async function pidFor(pool: ServerPool, key: string | undefined): Promise<number> {
  const lease = await pool.lease(request(key));
  try {
    return Number(textOf(await lease.server.callTool('pid', {})));
  } finally {
    lease.release();
  }
}

describe('a connection', () => {
  it('is that of a caller and of no other one, also where many ask at once', async () => {
    const pool = poolOf();
    const callers = ['a', 'b', 'c'];
    const pids = await Promise.all([...callers, ...callers].map((key) => pidFor(pool, key)));
    expect(pids.slice(0, 3)).toEqual(pids.slice(3));
    expect(new Set(pids).size).toBe(3);
  });

  it('of nobody in particular is used once, and ends', async () => {
    const pool = poolOf();
    const pids = [await pidFor(pool, undefined), await pidFor(pool, undefined)];
    expect(new Set(pids).size).toBe(2);
    await waitUntil(() => alive(pids).length === 0, { description: 'both have ended' });
  });

  it('that nobody uses ends, and one in use does not', async () => {
    const pool = poolOf({ idleMs: 200 });
    const lease = await pool.lease(request('busy'));
    const busy = Number(textOf(await lease.server.callTool('pid', {})));
    const idle = await pidFor(pool, 'idle');
    await waitUntil(() => alive([idle]).length === 0, { description: 'the idle one has ended' });
    expect(alive([busy])).toEqual([busy]);
    lease.release();
    await waitUntil(() => alive([busy]).length === 0, { description: 'the other one has ended' });
  });

  it('that waits for the next call stays where that call is refused', async () => {
    const pool = poolOf({ maxConnections: 4 });
    const anonymous = { account: 'an address' };
    const leases = [await pool.lease(request(undefined, anonymous)), await pool.lease(request(undefined, anonymous))];
    await waitUntil(() => pool.connectionsTo('s') === 3, { description: 'one waits for the next call' });
    for (let n = 0; n < 3; n += 1)
      expect(await rejection(pool.lease(request(undefined, anonymous)))).toMatchObject({ name: 'TooManyConnections' });
    expect(pool.connectionsTo('s')).toBe(3);
    for (const lease of leases) lease.release();
  });

  it('makes room for another caller when it is idle; when all are in use, the other one is refused', async () => {
    const pool = poolOf({ maxConnections: 2 });
    const first = await pidFor(pool, 'first');
    const leases = [await pool.lease(request('second')), await pool.lease(request('third'))];
    await waitUntil(() => alive([first]).length === 0, { description: 'the idle one has made room' });
    expect(await rejection(pool.lease(request('fourth')))).toMatchObject({ name: 'TooManyConnections' });
    for (const lease of leases) lease.release();
    expect(await pidFor(pool, 'fourth')).toBeGreaterThan(0);
  });

  it('is replaced when its process has ended', async () => {
    const pool = poolOf();
    const first = await pidFor(pool, 'a');
    process.kill(first, 'SIGKILL');
    await waitUntil(() => alive([first]).length === 0, { description: 'it has ended' });
    await waitUntil(async () => (await pidFor(pool, 'a').catch(() => first)) !== first, { description: 'there is another one' });
  });

  it('is lost to its calls when it is dropped, and replaced', async () => {
    const pool = poolOf();
    const asked = Promise.withResolvers<void>();
    const roots = (): Promise<never> => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const lease = await pool.lease(request('a', { handlers: { roots }, owns: () => true }));
    const before = Number(textOf(await lease.server.callTool('pid', {})));
    const call = rejection(lease.server.callTool('ask', {}, { callId: 'c' }));
    await asked.promise;
    expect(pool.connectionsTo('s')).toBe(1);
    await pool.drop('s', 'was ended by an operator');
    expect(await call).toMatchObject({ name: 'ConnectionLostError', effect: 'unknown' });
    expect([pool.connectionsTo('s'), lease.server.endedByItself]).toEqual([0, 'was ended by an operator']);
    lease.release();
    expect(await pidFor(pool, 'a')).not.toBe(before);
  });

  it('asks the one whose call it is, and nobody where that is not known', async () => {
    const pool = poolOf();
    const leaseOf = (name: string) =>
      pool.lease(request('a', { handlers: { roots: () => [{ uri: `file:///${name}` }] }, owns: (callId) => callId === name }));
    const [ada, bob] = [await leaseOf('ada'), await leaseOf('bob')];
    expect(ada.id).toBe(bob.id);
    expect(textOf(await bob.server.callTool('ask', {}, { callId: 'bob' }))).toBe('{"roots":[{"uri":"file:///bob"}]}');
    expect(textOf(await ada.server.callTool('ask', {}, { callId: 'ada' }))).toBe('{"roots":[{"uri":"file:///ada"}]}');
    expect(textOf(await ada.server.callTool('ask', {}, { callId: 'eve' }))).toBe('-32603');
    ada.release();
    bob.release();
  });
});
