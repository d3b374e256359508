/** Tests how a proxy calls tools that only read: within the request while they answer in a moment, as tasks otherwise. */
import { openMemoryStore } from '@longhaul/store-sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { Clients, GENERATIONS, KNOWN_CALLER, rejection, textOf } from '../../client/support/clients.js';
import { done, type Exchange, firstOf, greeting2025, methods, startScriptedServer } from '../../client/support/scripted-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies, type ServedProxy } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
const after: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  await clients.close();
  await proxies.close();
  for (const end of after.splice(0)) await end();
});

const look = { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };

/** A server with the tool `look`, whose calls the test answers. */
async function reading(answer: (exchange: Exchange) => unknown) {
  const calls: Exchange[] = [];
  const table = {
    'tools/list': ({ result }: Exchange) => result({ tools: [look] }),
    'tools/call': (exchange: Exchange) => {
      calls.push(exchange);
      return answer(exchange);
    },
  };
  const upstream = await startScriptedServer(firstOf(methods(table), greeting2025));
  after.push(() => upstream.close());
  return { upstream, calls };
}

/** How the tool is listed for tasks. */
function listed({ features }: ServedProxy): unknown {
  return features.tool('remote__look')?.listing.execution?.taskSupport;
}

describe.each(GENERATIONS)('a client of %s that calls a tool which only reads', (generation) => {
  it('is answered within the request', async () => {
    const { upstream } = await reading(({ result }) => result(done()));
    const served = await proxies.serve({ remote: { url: upstream.url } });
    const client = await clients.connect(served.url, { generation, transport: KNOWN_CALLER });
    expect(textOf(await client.callTool('remote__look', {}))).toBe('done');
    expect([served.service.created, listed(served)]).toEqual([[], undefined]);
  });

  it('gets a task where that takes longer, from the start where it has twice, and again after a start', async () => {
    // A call within the request is never answered. The task's is, which is the call that comes after its task was created.
    let answered = 0;
    let before: ServedProxy | undefined;
    const { upstream, calls } = await reading(({ result }) => {
      if (before === undefined || before.service.created.length === answered) return;
      answered += 1;
      result(done());
    });
    const store = openMemoryStore();
    after.push(() => store.close());
    const records = store.ownerRecords;
    const served = await proxies.serve({ remote: { url: upstream.url, quickMs: 200 } }, { records });
    before = served;
    const client = await clients.connect(served.url, { generation, transport: KNOWN_CALLER });
    // A call whose server takes long to be connected counts as no slow one, so it may take more than two.
    const isListed = async (): Promise<boolean> => {
      expect(textOf(await client.callTool('remote__look', {}))).toBe('done');
      return listed(served) === 'optional';
    };
    await waitUntil(isListed, { description: 'it is listed as a tool for tasks' });
    const [created, made] = [served.service.created.length, calls.length];
    expect(created).toBeGreaterThanOrEqual(2);
    expect(textOf(await client.callTool('remote__look', {}))).toBe('done');
    expect([served.service.created.length, calls.length]).toEqual([created + 1, made + 1]);
    await proxies.close();
    const later = await proxies.serve({ remote: { url: upstream.url, quickMs: 200 } }, { records });
    expect(listed(later)).toBe('optional');
  });

  it('gets the error with which the server answers', async () => {
    const { upstream } = await reading(({ error }) => error(-32_010, 'No.', { a: 1 }));
    const { url, service } = await proxies.serve({ remote: { url: upstream.url } });
    const client = await clients.connect(url, { generation, transport: KNOWN_CALLER });
    expect(await rejection(client.callTool('remote__look', {}))).toMatchObject({ code: -32_010, message: 'No.', data: { a: 1 } });
    expect(service.created).toEqual([]);
  });

  it('gets a task when the server breaks the connection', async () => {
    const { upstream, calls } = await reading(({ cut, result }) => (calls.length === 1 ? cut() : result(done())));
    const { url, service } = await proxies.serve({ remote: { url: upstream.url } });
    const client = await clients.connect(url, { generation, transport: KNOWN_CALLER });
    expect(textOf(await client.callTool('remote__look', {}))).toBe('done');
    expect(service.created.map(({ tool }) => tool)).toEqual(['remote__look']);
  });
});

describe('a tool which only reads', () => {
  it('can be called as a task, also while it is not listed as one', async () => {
    const { upstream } = await reading(({ result }) => result(done()));
    const { url, service } = await proxies.serve({ remote: { url: upstream.url } });
    const client = await clients.connect(url, { generation: '2025-11-25', transport: KNOWN_CALLER });
    expect(textOf(await client.callTool('remote__look', {}, { idempotencyKey: 'once' }))).toBe('done');
    expect(service.created).toHaveLength(1);
  });

  it('is called as a task from the start where the file waits for nothing', async () => {
    const { upstream } = await reading(({ result }) => result(done()));
    const served = await proxies.serve({ remote: { url: upstream.url, quickMs: 0 } });
    const client = await clients.connect(served.url, { transport: KNOWN_CALLER });
    expect(textOf(await client.callTool('remote__look', {}))).toBe('done');
    expect([served.service.created.length, listed(served)]).toEqual([1, 'optional']);
  });

  it('is refused while as many calls run as the file allows', async () => {
    const { upstream, calls } = await reading(() => undefined);
    const { url, service } = await proxies.serve({ remote: { url: upstream.url, maxRunning: 1, whenBusy: 'refuse', quickMs: 60_000 } });
    const [first, second] = [
      await clients.connect(url, { transport: KNOWN_CALLER }),
      await clients.connect(url, { transport: KNOWN_CALLER }),
    ];
    const running = first.callTool('remote__look', {});
    await waitUntil(() => calls.length === 1, { description: 'the server is called' });
    const { isError, content } = await second.callTool('remote__look', {});
    expect([isError, textOf({ content })]).toEqual([true, expect.stringMatching(/has 1 calls running, which is the limit/)]);
    calls[0]?.result(done());
    expect(textOf(await running)).toBe('done');
    expect([calls.length, service.created.length]).toEqual([1, 0]);
  });
});

describe('the file', () => {
  it('gives calls the arguments that they leave out, within the request and as tasks', async () => {
    const tool = (name: string, more: object) => ({
      name,
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      ...more,
    });
    const tools = [tool('look', { annotations: { readOnlyHint: true } }), tool('write', {}), tool('bad', {})];
    const calls: Exchange[] = [];
    const table = {
      'tools/list': ({ result }: Exchange) => result({ tools }),
      'tools/call': (exchange: Exchange) => {
        calls.push(exchange);
        exchange.result(done());
      },
    };
    const upstream = await startScriptedServer(firstOf(methods(table), greeting2025));
    after.push(() => upstream.close());
    const defaults = { n: 7 };
    const served = await proxies.serve({
      remote: { url: upstream.url, tools: { '*': { defaults }, bad: { defaults: { none: 1 } } } },
    });
    const client = await clients.connect(served.url, { generation: '2025-11-25', transport: KNOWN_CALLER });
    for (const name of ['look', 'write']) for (const args of [{}, { n: 1 }]) await client.callTool(`remote__${name}`, args);
    expect(calls.map(({ params }) => params['arguments'])).toEqual([{ n: 7 }, { n: 1 }, { n: 7 }, { n: 1 }]);
    expect(served.service.created.map(({ tool }) => tool)).toEqual(['remote__write', 'remote__write']);
    expect(served.features.tool('remote__bad')).toBeUndefined();
    expect(served.warnings).toEqual([expect.stringContaining('"bad" is left out: defaults.none: it has no such argument')]);
  });

  it('limits the tasks of a tool and of a server at workers, which know no catalogue', async () => {
    const { upstream } = await reading(() => undefined);
    const { proxy } = await proxies.serve({ remote: { url: upstream.url, maxRunning: 5, tools: { look: { maxRunning: 2 } } } });
    const limits = (tool: string) => proxy.catalogue.durable(tool)?.workflow;
    expect(limits('remote__look')).toMatchObject({ maxRunning: 2, sharedLimit: { name: 'server:remote', maxRunning: 5 } });
    expect(limits('remote__other')?.maxRunning).toBeUndefined();
  });
});
