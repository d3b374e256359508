/** Tests that operators see and steer the servers behind a proxy, in all processes of a deployment. */
import { type MergedServer, mergedServers, reportIn, type Said, ServerSwitches } from '@longhaul/proxy/operating';
import type { Store } from '@longhaul/sessions';
import { rowOf } from '@longhaul/tasks';
import { afterEach, describe, expect, it } from 'vitest';
import { Clients, rejection, textOf } from '../../client/support/clients.js';
import { oddServer } from '../../servers/support/odd-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies, type ServedProxy } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
const stops: (() => void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await clients.close();
  await proxies.close();
});

const SAID: Said = { by: 'ada', reason: 'it is slow', at: 1_000 };

/** Has a tool that reads, one that writes and one that is never answered; each says which process answers. */
const SERVER = oddServer(
  {
    answers: `
      if (method === 'tools/list') return { tools: [{ ...tool('look'), annotations: { readOnlyHint: true } }, tool('change'), tool('hang')] };
      if (method === 'tools/call' && params.name === 'hang') return 'none';
      if (method === 'tools/call') return { content: [{ type: 'text', text: String(process.pid) }] };`,
  },
  { sessions: 'shared' },
);

/** Two gateways of one deployment, each with a proxy. */
async function deployment(): Promise<{ one: ServedProxy; other: ServedProxy; store: Store; switches: ServerSwitches }> {
  const one = await proxies.serve({ s: SERVER });
  const other = await proxies.serve({ s: SERVER });
  const { store } = one.service;
  await proxies.join(one, store, 'one');
  await proxies.join(other, store, 'other');
  return { one, other, store, switches: new ServerSwitches(store) };
}

async function serversOf(store: Store): Promise<readonly MergedServer[]> {
  const reports = [...(await store.processReports.all()).values()].flatMap((text) => reportIn(text) ?? []);
  return mergedServers(reports, await new ServerSwitches(store).all());
}

const namesOf = ({ features }: ServedProxy): readonly string[] => features.tools.map(({ name }) => name);

describe('a tool that is turned off', () => {
  it('is not listed in any process, which clients hear, until it is turned on again', async () => {
    const { one, other, switches } = await deployment();
    const client = await clients.connect(other.url, { generation: '2025-11-25' });
    const published: string[] = [];
    stops.push(await other.service.store.sessionNotifications.subscribeToAll(({ method }) => void published.push(method)));
    await switches.turnOff({ server: 's', tool: 'look' }, SAID);
    await waitUntil(() => [one, other].every((each) => !namesOf(each).includes('s__look')), { description: 'it is gone in both' });
    expect(namesOf(one)).toEqual(['s__change', 's__hang']);
    await waitUntil(() => published.includes('notifications/tools/list_changed'), { description: 'the change is published' });
    expect(await rejection(client.callTool('s__look', {}))).toBeInstanceOf(Error);
    await switches.turnOn({ server: 's', tool: 'look' });
    await waitUntil(() => [one, other].every((each) => namesOf(each).includes('s__look')), { description: 'it is back in both' });
    expect(textOf(await client.callTool('s__look', {}))).toMatch(/^\d+$/);
    expect(await switches.all()).toEqual([]);
  });

  it('fails tasks by name that are called meanwhile, also in a process that is started later', async () => {
    const { one, store, switches } = await deployment();
    await switches.turnOff({ server: 's', tool: 'change' }, SAID);
    const later = await proxies.serve({ s: SERVER });
    await proxies.join(later, store, 'later');
    expect(namesOf(later)).not.toContain('s__change');
    // A task that is created by a process that does not know yet.
    const { taskId } = await one.service.tasks.create({
      tool: 's__change',
      arguments: {},
      owner: 'x',
      client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
      ttlMs: 60_000,
      pollIntervalMs: 1_000,
    } as never);
    const row = async () => (await store.events.views([taskId])).map((view) => view && rowOf(view))[0];
    await waitUntil(async () => (await row())?.status === 'failed', { description: 'the task has failed' });
    expect((await row())?.reason).toBe('SWITCHED_OFF');
  });
});

describe('a server that is turned off', () => {
  it('has no connection and nothing in the lists, and is connected again when it is turned on', async () => {
    const { one, store, switches } = await deployment();
    const client = await clients.connect(one.url, { generation: '2025-11-25' });
    const before = textOf(await client.callTool('s__look', {}));
    await switches.turnOff({ server: 's' }, SAID);
    await waitUntil(async () => (await serversOf(store)).every(({ connections }) => connections === 0), {
      description: 'it is disconnected',
    });
    expect(namesOf(one)).toEqual([]);
    expect(await serversOf(store)).toMatchObject([{ name: 's', state: 'off', off: SAID, processes: [{ state: 'off' }, { state: 'off' }] }]);
    await switches.turnOn({ server: 's' });
    await waitUntil(() => namesOf(one).includes('s__look'), { description: 'it is listed again' });
    expect(textOf(await client.callTool('s__look', {}))).not.toBe(before);
  });
});

describe('a server that is restarted', () => {
  it('has other processes in all processes of the deployment, and its calls have lost it', async () => {
    const { one, other, switches } = await deployment();
    const callers = await Promise.all([one, other].map(({ url }) => clients.connect(url, { generation: '2025-11-25' })));
    const pids = async () => Promise.all(callers.map(async (client) => textOf(await client.callTool('s__look', {}))));
    const before = await pids();
    const call = callers[0]?.callTool('s__hang', {}).catch((error: unknown) => error);
    await waitUntil(async () => (await serversOf(one.service.store))[0]?.running === 1, { description: 'the call runs' });
    await switches.restart('s', SAID, 'first');
    expect(JSON.stringify(await call)).toContain('MAY_HAVE_HAPPENED');
    await waitUntil(async () => (await pids()).every((pid) => !before.includes(pid)), { description: 'others answer' });
  });
});

describe('what processes say of a server', () => {
  it('is put together: its version, connections, calls, and how long they took', async () => {
    const { one, other, store } = await deployment();
    for (const { url } of [one, other]) {
      const client = await clients.connect(url, { generation: '2026-07-28' });
      await client.callTool('s__look', {});
      await client.callTool('s__change', {});
    }
    await waitUntil(async () => (await serversOf(store))[0]?.calls === 4, { description: 'the calls are reported' });
    const [server] = await serversOf(store);
    const many = expect.any(Number) as number;
    expect(server).toMatchObject({
      name: 's',
      transport: 'stdio',
      state: 'connected',
      restarts: 0,
      about: { name: 'odd', version: '1', protocolVersion: '2025-11-25' },
      connections: many,
      calls: 4,
      errors: 0,
      running: 0,
      p50Ms: many,
      p99Ms: many,
      processes: [
        { process: 'one', role: 'gateway', calls: 2 },
        { process: 'other', role: 'gateway', calls: 2 },
      ],
    });
    expect(server?.tools).toMatchObject([
      { name: 'look', as: 's__look', calls: 2 },
      { name: 'change', as: 's__change', task: 'optional', calls: 2, p50Ms: many },
      { name: 'hang', as: 's__hang', calls: 0 },
    ]);
    expect(server?.tools[2]).not.toHaveProperty('p50Ms');
    await proxies.close();
  });
});
