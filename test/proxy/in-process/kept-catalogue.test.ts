/** Tests that what a server offered stays listed while it is away, also at another gateway. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProxy } from '@longhaul/proxy';
import { parseServers } from '@longhaul/servers';
import { createOwnerStore } from '@longhaul/sessions';
import { openMemoryStore } from '@longhaul/store-sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Clients, textOf } from '../../client/support/clients.js';
import { oddServer } from '../../servers/support/odd-server.js';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
let folder: TestFolder;
let store: ReturnType<typeof openMemoryStore>;
beforeEach(() => {
  folder = new TestFolder();
  store = openMemoryStore();
});
afterEach(async () => {
  await clients.close();
  await proxies.close();
  await store.close();
  folder.remove();
});

/** A server that ends at once while there is a file of that name. */
const away = (answers = ''): { readonly server: object; readonly flag: string } => {
  const flag = join(folder.path, 'away');
  return { flag, server: oddServer({ first: `if (require('node:fs').existsSync(${JSON.stringify(flag)})) process.exit(3);`, answers }) };
};
const kept = () => createOwnerStore(store.ownerRecords).of({ id: 'longhaul/servers' }).collection('offered');
const named = (warnings: readonly string[], part: string): Promise<unknown> =>
  waitUntil(() => warnings.some((line) => line.includes(part)), { description: `it is said that ${part}` });

describe('what a server offered', () => {
  it('stays listed at a gateway that starts while it is away, until it is there again', async () => {
    const { server, flag } = away();
    const records = store.ownerRecords;
    const before = await proxies.serve({ fragile: server, whole: oddServer({}) }, { records });
    const names = before.features.tools.map(({ name }) => name);
    await proxies.close();
    writeFileSync(flag, '');
    const { features, url, proxy, warnings } = await proxies.serve({ fragile: server, whole: oddServer({}) }, { records });
    expect(features.tools.map(({ name }) => name)).toEqual(names);
    await named(warnings, 'is away, and it is listed as it was');
    expect(proxy.catalogue.servers[0]?.health?.state).toMatch(/away|connecting/);
    expect(proxy.catalogue.servers[0]?.snapshot?.readAt).toBeLessThan(Date.now());
    const client = await clients.connect(url, { generation: '2025-11-25' });
    expect(textOf(await client.callTool('whole__work', {}))).toBe('done');
    rmSync(flag);
    await waitUntil(async () => textOf(await client.callTool('fragile__work', {})) === 'done', { description: 'it is connected again' });
  });

  it('is not listed for another entry of the file', async () => {
    const { server, flag } = away();
    const records = store.ownerRecords;
    await proxies.serve({ fragile: server }, { records });
    await proxies.close();
    writeFileSync(flag, '');
    const { features } = await proxies.serve({ fragile: { ...server, args: ['-e', 'process.exit(3)'] } }, { records });
    expect(features.tools).toEqual([]);
  });

  it('is done without where it cannot be read, or is too large, which is named', async () => {
    const value = { format: 1, of: 'x', snapshot: { tools: [{ name: 7 }] } };
    await kept().update(() => ({ changes: [{ id: 'fragile', value }], result: undefined }));
    const many = `Array.from({ length: 25 }, (_, n) => ({ ...tool('work' + n), description: 'x'.repeat(2e5) }))`;
    const large = away(`if (method === 'tools/list') return { tools: ${many} };`);
    const { warnings, features } = await proxies.serve({ fragile: large.server }, { records: store.ownerRecords });
    expect(features.tools).toHaveLength(25);
    await named(warnings, 'What the server "fragile" offered before cannot be read');
    await named(warnings, 'What the server "fragile" offers cannot be kept: TaskError: The JSON of a record has');
  });

  it('is known to processes that connect no server, as it is now', async () => {
    const flag = join(folder.path, 'more');
    const watching = `
      const hasMore = () => require('node:fs').existsSync(${JSON.stringify(flag)});
      const timer = setInterval(() => {
        if (!hasMore()) return;
        clearInterval(timer);
        say({ method: 'notifications/tools/list_changed' });
      }, 50);`;
    const answers = "if (method === 'tools/list' && hasMore()) return { tools: [tool('work'), tool('rest')] };";
    const mcpServers = { s: oddServer({ first: watching, answers }) };
    const { servers } = parseServers(JSON.stringify({ mcpServers }), { from: 'x.json', env: {} });
    await proxies.serve(mcpServers, { records: store.ownerRecords, signals: store.featureSignals });
    const [worker, operator] = await Promise.all(
      (['worker', 'operator'] as const).map(async (role) => {
        const proxy = openProxy({ servers, isAlone: false, warn: () => undefined, resourceUpdated: () => undefined });
        await proxy.keepIn(store.ownerRecords, store.featureSignals);
        await proxy.join({ process: { id: role, role }, store, warn: () => undefined });
        return proxy;
      }),
    );
    await waitUntil(() => worker?.catalogue.known('s__work') !== undefined, { description: 'the worker knows the tool' });
    writeFileSync(flag, '');
    await waitUntil(() => worker?.catalogue.known('s__rest') !== undefined, { description: 'the worker knows the other tool' });
    const listed = () => operator?.catalogue.features.map((feature) => feature.kind === 'tool' && feature.name);
    await waitUntil(() => listed()?.includes('s__rest') === true, { description: 'operators can start the other tool' });
    expect(worker?.catalogue.features).toEqual([]);
    expect(worker?.catalogue.servers.map(({ health }) => health)).toEqual([undefined]);
    await Promise.all([worker?.close(), operator?.close()]);
  });

  it('is forgotten a month after it was read, where no file names the server any more', async () => {
    const snapshot = { tools: [], prompts: [], resources: [], resourceTemplates: [], completes: false, reads: false };
    const old = Date.now() - 31 * 24 * 3_600_000;
    const records = { gone: old, other: Date.now() };
    const changes = Object.entries(records).map(([id, readAt]) => ({
      id,
      value: { format: 1, of: 'x', snapshot: { ...snapshot, readAt } },
    }));
    await kept().update(() => ({ changes, result: undefined }));
    await proxies.serve({ here: oddServer({}) }, { records: store.ownerRecords });
    await proxies.close();
    expect(await kept().read((all) => [...all.keys()].toSorted())).toEqual(['here', 'other']);
  });
});
