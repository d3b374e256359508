/** Tests that what a server keeps of a session is met by all processes of a deployment, here by several pools on one store. */
import { HeldServers, type Lease, type LeaseRequest, parseServers, type ServerConfig, ServerPool } from '@longhaul/servers';
import { PassConnections } from '@longhaul/servers/durable';
import type { Holds, Signals } from '@longhaul/sessions';
import { openMemoryStore } from '@longhaul/store-sqlite';
import { TaskError } from '@longhaul/tasks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejection, textOf } from '../client/support/clients.js';
import { waitUntil } from '../support/wait-until.js';
import { startSseServer } from './support/sse-server.js';
import { startStatefulUrl, statefulProcess, type StatefulUrl } from './support/stateful-server.js';

/** Long enough for what a test does in between, also on a busy machine. */
const LEASE_MS = 2_000;

/** A process of the deployment: it can die, and then nothing of it is heard any more. */
class Member {
  isDead = false;
  /** Whether the store is away, and how often it was asked for a hold meanwhile. */
  isCutOff = false;
  refused = 0;
  readonly held: HeldServers;
  readonly pool: ServerPool;
  readonly errors: unknown[] = [];
  /** Its id as a holder, and who held what it has asked for last. */
  holder = '';
  taken: string | undefined;

  constructor(store: ReturnType<typeof openMemoryStore>, name: string) {
    const alive = <T>(run: () => Promise<T>): Promise<T> => (this.isDead ? new Promise<T>(() => undefined) : run());
    const holds: Holds = {
      take: (request) =>
        alive(async () => {
          if (this.isCutOff) this.refused += 1;
          if (this.isCutOff) throw new TaskError('STORE_UNAVAILABLE');
          const taken = await store.holds.take(request);
          [this.holder, this.taken] = [request.holder, taken.holder];
          return taken;
        }),
      write: (of, value) => alive(() => store.holds.write(of, value)),
      release: (of, unusedMs) => alive(() => store.holds.release(of, unusedMs)),
    };
    const signals: Signals = {
      publish: (channel, message) => alive(() => store.featureSignals.publish(channel, message)),
      subscribe: (channel, listener) => store.featureSignals.subscribe(channel, (message) => void (this.isDead || listener(message))),
    };
    this.held = new HeldServers({ processId: name, holds, signals, leaseMs: LEASE_MS, onError: (error) => this.errors.push(error) });
    this.pool = new ServerPool({ lists: 'tools', idleMs: 60_000, held: () => this.held });
  }

  async close(): Promise<void> {
    // One that has died cannot clean up: it is brought back for it.
    this.isDead = false;
    await this.pool.close();
    await this.held.close();
  }
}

let store: ReturnType<typeof openMemoryStore>;
const members: Member[] = [];
beforeEach(() => {
  store = openMemoryStore();
});
afterEach(async () => {
  await Promise.all(members.splice(0).map((member) => member.close()));
  await store.close();
});

function member(name: string): Member {
  const made = new Member(store, name);
  members.push(made);
  return made;
}

function configOf(entry: object): ServerConfig {
  const [config] = parseServers(JSON.stringify({ mcpServers: { s: entry } }), { from: 'x.json', env: {} }).servers;
  return config as ServerConfig;
}

const PROCESS = configOf(statefulProcess());

interface Called {
  readonly text: string;
  readonly isAfterLoss: boolean;
}

/** One call, as a request or a pass makes it. */
async function call({ pool }: Member, key: string, tool: string, args: object = {}, more: Partial<LeaseRequest> = {}): Promise<Called> {
  const lease: Lease = await pool.lease({ config: PROCESS, key, handlers: {}, owns: (id) => id === 'call', ...more });
  try {
    const text = textOf(await lease.server.callTool(tool, { ...args }, { callId: 'call' }));
    return { text: String(text), isAfterLoss: lease.takeLoss() };
  } finally {
    lease.release();
  }
}

const textsOf = (called: readonly Called[]): string[] => called.map(({ text }) => text);

describe('the process of a session', () => {
  it('is one for all processes of the deployment, also when they need it at once, and another one for another session', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    const both = [gateway, worker, gateway, worker];
    expect(textsOf(await Promise.all(both.map((each) => call(each, 'ada', 'add')))).toSorted()).toEqual(['1', '2', '3', '4']);
    expect(textsOf(await Promise.all(both.map((each) => call(each, 'bob', 'add')))).toSorted()).toEqual(['1', '2', '3', '4']);
    expect((await call(worker, 'ada', 'add')).text).toBe('5');
    expect([...gateway.errors, ...worker.errors]).toEqual([]);
  });

  it('takes and gives messages of any size', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    await call(gateway, 'ada', 'add');
    const uri = 'x'.repeat(3_000_000);
    expect((await call(worker, 'ada', 'write', { uri })).text).toBe('written');
    expect(JSON.parse((await call(worker, 'ada', 'told')).text)).toMatchObject({ written: [uri] });
  });

  it('sends progress, questions and answers to the process whose call it is', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    const asks = (who: string): Partial<LeaseRequest> => ({ handlers: { roots: () => [{ uri: `file:///${who}` }] } });
    await call(gateway, 'ada', 'add', {}, asks('gateway'));
    expect((await call(worker, 'ada', 'ask', {}, asks('worker'))).text).toBe('["file:///worker"]');
    expect((await call(gateway, 'ada', 'ask', {}, asks('gateway'))).text).toBe('["file:///gateway"]');
    const heard: unknown[] = [];
    for (const each of [gateway, worker]) {
      const lease = await each.pool.lease({ config: PROCESS, key: 'ada', ...asks('x'), owns: () => true } as LeaseRequest);
      const who = each === gateway ? 'gateway' : 'worker';
      await lease.server.callTool('report', { who }, { onProgress: ({ message }) => heard.push([who, message]) });
      lease.release();
    }
    expect(heard).toEqual([
      ['gateway', 'gateway'],
      ['worker', 'worker'],
    ]);
  });

  it('hears which call is cancelled, and that another process has left its calls', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    await call(gateway, 'ada', 'add');
    const abort = new AbortController();
    const lease = await worker.pool.lease({ config: PROCESS, key: 'ada', handlers: {}, owns: () => true });
    const resting = ['first', 'second'].map((who) =>
      rejection(lease.server.callTool('rest', { who }, who === 'first' ? { signal: abort.signal } : {})),
    );
    const told = async (): Promise<Record<string, unknown>> => JSON.parse((await call(gateway, 'ada', 'told')).text) as never;
    const stopped = async (): Promise<unknown> => (await told())['stopped'];
    await waitUntil(async () => ((await told())['resting'] as unknown[]).length === 2, { description: 'both are under way' });
    abort.abort(new Error('not needed'));
    expect(await resting[0]).toMatchObject({ message: 'not needed' });
    await waitUntil(async () => JSON.stringify(await stopped()) === '["first"]', { description: 'the first is cancelled' });
    await worker.pool.close();
    await resting[1];
    await waitUntil(async () => JSON.stringify(await stopped()) === '["first","second"]', { description: 'the second is cancelled' });
    expect((await call(gateway, 'ada', 'add')).isAfterLoss).toBe(false);
  });

  it('goes over to another process when its holder ends, and no loss is said of what was ended on purpose', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    await call(gateway, 'ada', 'add');
    await call(worker, 'ada', 'add');
    await gateway.close();
    await waitUntil(async () => (await call(worker, 'ada', 'add').catch(() => ({ text: '' }))).text === '1', {
      description: 'the worker has a process of its own',
    });
  });

  it('is started again by another process when its holder dies, and the loss is said once', async () => {
    const [gateway, worker, other] = [member('gateway'), member('worker'), member('other')];
    await call(gateway, 'ada', 'add');
    await call(worker, 'ada', 'add');
    gateway.isDead = true;
    const failed = await rejection(call(worker, 'ada', 'add'));
    expect((failed as Error).name).toBe('ConnectionLostError');
    const [first, second] = await Promise.all([call(worker, 'ada', 'add'), call(other, 'ada', 'add')]);
    expect(textsOf([first, second]).toSorted()).toEqual(['1', '2']);
    expect([first.isAfterLoss, second.isAfterLoss].filter(Boolean)).toHaveLength(1);
    expect(await call(worker, 'ada', 'add')).toEqual({ text: '3', isAfterLoss: false });
  });

  it('is started again when it ends by itself, and the loss is said once, to whoever calls next', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    await call(gateway, 'ada', 'add');
    await call(worker, 'ada', 'add');
    await gateway.pool.drop('s', 'was ended by the test');
    // The worker may call before it hears of the end: that call is lost.
    const next = await call(worker, 'ada', 'add').catch(() => call(worker, 'ada', 'add'));
    expect(next).toEqual({ text: '1', isAfterLoss: true });
    expect(await call(gateway, 'ada', 'add')).toEqual({ text: '2', isAfterLoss: false });
  });

  it('is given up by a holder that was silent for too long, and the server ends there', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    const lease = await gateway.pool.lease({ config: PROCESS, key: 'ada', handlers: {}, owns: () => true });
    gateway.isDead = true;
    expect(await call(worker, 'ada', 'add')).toMatchObject({ text: '1', isAfterLoss: true });
    gateway.isDead = false;
    await waitUntil(() => lease.server.endedByItself !== undefined, { description: 'the first process is ended' });
    lease.release();
    expect((await call(gateway, 'ada', 'add')).text).toBe('2');
  });

  it('is waited for by a task while the store is away, for however long', async () => {
    const worker = member('worker');
    worker.isCutOff = true;
    const { signal } = new AbortController();
    const pool = { connections: worker.pool, keyOf: () => ({ key: 'ada' }) };
    const connections = new PassConnections({ servers: new Map([['s', PROCESS]]), asks: {}, signal, pool });
    const connected = connections.to('s');
    await Promise.race([connected, waitUntil(() => worker.refused > 10, { description: 'the store was asked often' })]);
    worker.isCutOff = false;
    expect(textOf(await (await connected).server.callTool('add', {}))).toBe('1');
    await connections.close();
  });

  it('is not shared where the file says that nothing is kept', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    const config = configOf(statefulProcess({ stateless: true }));
    expect(textsOf([await call(gateway, 'ada', 'add', {}, { config }), await call(worker, 'ada', 'add', {}, { config })])).toEqual([
      '1',
      '1',
    ]);
  });
});

describe('a stream of HTTP+SSE', () => {
  it('is one for all processes of the deployment, and another process opens the next one when its holder has died', async () => {
    const server = await startSseServer();
    try {
      const config = configOf({ url: server.url });
      const [gateway, worker] = [member('gateway'), member('worker')];
      for (const each of [gateway, worker, gateway]) expect((await call(each, 'ada', 'work', {}, { config })).text).toBe('done');
      expect([server.streams, worker.taken === gateway.holder]).toEqual([1, true]);
      gateway.isDead = true;
      const again = () => call(worker, 'ada', 'work', {}, { config }).catch(() => undefined);
      await waitUntil(async () => (await again())?.text === 'done' && server.streams === 2, { description: 'there is another stream' });
    } finally {
      await server.close();
    }
  });
});

describe('an HTTP session', () => {
  let upstream: StatefulUrl;
  let config: ServerConfig;
  beforeEach(async () => {
    upstream = await startStatefulUrl();
    config = configOf({ url: upstream.url });
  });
  afterEach(() => upstream.close());

  const add = (of: Member, key: string, more: Partial<LeaseRequest> = {}): Promise<Called> => call(of, key, 'add', {}, { config, ...more });

  it('is begun once for all processes of the deployment, which use it by themselves, and another one for another session', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    const both = [gateway, worker, gateway, worker];
    expect(textsOf(await Promise.all(both.map((each) => add(each, 'ada')))).toSorted()).toEqual(['1', '2', '3', '4']);
    expect(textsOf(await Promise.all(both.map((each) => add(each, 'bob')))).toSorted()).toEqual(['1', '2', '3', '4']);
    expect(upstream.begun).toHaveLength(2);
    gateway.isDead = true;
    expect(await add(worker, 'ada')).toEqual({ text: '5', isAfterLoss: false });
    const later = member('later');
    expect(await add(later, 'ada')).toEqual({ text: '6', isAfterLoss: false });
    expect(upstream.begun).toHaveLength(2);
  });

  it('that is lost is begun again once, whoever notices, and the loss is said once', async () => {
    const members = [member('gateway'), member('worker'), member('other')] as const;
    for (const each of members) await add(each, 'ada');
    upstream.forget();
    const called = await Promise.all(members.map((each) => add(each, 'ada')));
    expect(textsOf(called).toSorted()).toEqual(['1', '2', '3']);
    expect(called.filter(({ isAfterLoss }) => isAfterLoss)).toHaveLength(1);
    expect(upstream.begun).toHaveLength(2);
  });

  it('that was lost while nobody used it is begun again by the next process', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    await add(gateway, 'ada');
    upstream.forget();
    expect(await add(worker, 'ada')).toEqual({ text: '1', isAfterLoss: true });
    expect(textsOf([await add(gateway, 'ada')])).toEqual(['2']);
  });

  it('ends with the last process that uses it', async () => {
    const [gateway, worker] = [member('gateway'), member('worker')];
    await add(gateway, 'ada');
    await add(worker, 'ada');
    await gateway.close();
    expect(upstream.ended).toEqual([]);
    expect((await add(worker, 'ada')).text).toBe('3');
    // It is known after a while that the first one does not use it any more.
    await waitUntil(() => worker.taken === worker.holder, { description: 'the other process holds it' });
    await worker.close();
    expect(upstream.ended).toEqual(upstream.begun);
  });

  it('is none where the server has none: then each process asks for itself, and nothing is held', async () => {
    const stateless = await startStatefulUrl({ hasSessions: false });
    const of = { config: configOf({ url: stateless.url }) };
    const [gateway, worker] = [member('gateway'), member('worker')];
    for (const each of [gateway, worker, gateway]) await add(each, 'ada', of);
    await gateway.pool.close();
    expect([...gateway.errors, ...worker.errors]).toEqual([]);
    await stateless.close();
  });
});
