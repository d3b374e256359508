/** Tests that the limits of a file hold for calls within requests at several gateways together. */
import { openMemoryStore } from '@longhaul/store-sqlite';
import { afterEach, expect, it } from 'vitest';
import { Clients, KNOWN_CALLER, textOf } from '../../client/support/clients.js';
import { done, type Exchange, firstOf, greeting2025, methods, startScriptedServer } from '../../client/support/scripted-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
const after: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  await clients.close();
  await proxies.close();
  for (const end of after.splice(0)) await end();
});

it('lets no more calls of a tenant run than its settings say', async () => {
  const running: Exchange[] = [];
  const table = {
    'tools/list': ({ result }: Exchange) => result({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }),
    'tools/call': (exchange: Exchange) => void running.push(exchange),
  };
  const upstream = await startScriptedServer(firstOf(methods(table), greeting2025));
  after.push(() => upstream.close());
  const entry = { url: upstream.url, whenBusy: 'refuse', tools: { work: { task: 'forbidden' } } };
  const settings = { tenants: { default: { maxRunning: 1 }, tenants: {} } };
  const { url } = await proxies.serve({ remote: entry }, { service: { settings } });
  const client = await clients.connect(url, { transport: KNOWN_CALLER });
  const first = client.callTool('remote__work', {});
  await waitUntil(() => running.length === 1, { description: 'the first call runs' });
  expect(JSON.stringify(await client.callTool('remote__work', {}))).toContain('Your tenant has 1 calls running');
  running[0]?.result(done());
  expect(textOf(await first)).toBe('done');
});

it('lets no more calls of a tool, and of a server, run than the file says', async () => {
  const running: Exchange[] = [];
  const tools = ['wide', 'narrow'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const table = {
    'tools/list': ({ result }: Exchange) => result({ tools }),
    'tools/call': (exchange: Exchange) => void running.push(exchange),
  };
  const upstream = await startScriptedServer(firstOf(methods(table), greeting2025));
  after.push(() => upstream.close());
  const store = openMemoryStore();
  after.push(() => store.close());
  const entry = { url: upstream.url, maxRunning: 3, tools: { wide: { task: 'forbidden' }, narrow: { task: 'forbidden', maxRunning: 1 } } };
  const gateways = await Promise.all([proxies.serve({ remote: entry }), proxies.serve({ remote: entry })]);
  for (const [index, served] of gateways.entries()) await proxies.join(served, store, `gateway-${index}`);
  const connected = await Promise.all(gateways.map(({ url }) => clients.connect(url, { transport: KNOWN_CALLER })));
  const names = ['narrow', 'wide', 'narrow', 'wide', 'wide', 'narrow'];
  let ended = 0;
  const calls = connected.flatMap((client) =>
    names.map(async (name) => {
      expect(textOf(await client.callTool(`remote__${name}`, {}))).toBe('done');
      ended += 1;
    }),
  );
  let most = 0;
  for (let answered = 0; answered < calls.length; answered += 1) {
    const isToDo = (): boolean => running.length >= Math.min(3, calls.length - answered) || (running.length > 0 && ended === answered);
    await waitUntil(isToDo, { description: 'as many calls run as may' });
    const narrow = running.filter(({ params }) => params['name'] === 'narrow');
    expect([running.length <= 3, narrow.length <= 1]).toEqual([true, true]);
    most = Math.max(most, running.length);
    running.shift()?.result(done());
    await waitUntil(() => ended === answered + 1, { description: 'its client has the answer' });
  }
  await Promise.all(calls);
  expect(most).toBeGreaterThan(1);
});
