/** Tests the data that durable tools keep for their callers: on workers in separate processes, for both protocol versions. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workplace } from '../../../cli/support/launcher.js';
import { connectStdio } from '../../../cli/support/stdio-client.js';
import { Deployment, type Process } from '../../../support/deployment.js';
import { waitUntil } from '../../../support/wait-until.js';
import { modernClient, PLAIN_CLIENT } from '../../../support/gateway-2026/modern-client.js';

const FEATURES = { LONGHAUL_FEATURES: fileURLToPath(new URL('./features.ts', import.meta.url)), LOG_LEVEL: 'error' };

type Headers = Readonly<Record<string, string>>;
type Call = (name: string, args?: object) => Promise<string>;

const as = (name: string): Headers => ({ authorization: `Bearer token-of-${name}-00001` });
const textOf = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '');
const calling =
  (client: Client): Call =>
  async (name, args = {}) =>
    textOf((await client.callTool({ name, arguments: { ...args } })) as CallToolResult);
const modern =
  (gateway: Process, headers: Headers = {}): Call =>
  async (name, args) =>
    textOf((await modernClient(gateway, PLAIN_CLIENT, headers).tool(name, args)).result as CallToolResult);

const clients: Client[] = [];
async function connect({ url }: Process, headers: Headers = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  clients.push(client);
  return client;
}

afterAll(() => Promise.all(clients.map((client) => client.close())));

describe('the owner in a durable tool of a known caller', () => {
  const tokens = ['ada', 'bob', 'carol'].map((name) => `${name}:token-of-${name}-00001`).join(',');
  const deployment = Deployment.create({ ...FEATURES, LONGHAUL_TOKENS: tokens });
  const files = mkdtempSync(join(tmpdir(), 'owner-in-tasks-'));
  let gateway: Process;
  let worker: Process;

  beforeAll(async () => {
    [gateway, worker] = await Promise.all([deployment.gateway(), deployment.worker()]);
  });
  afterAll(async () => {
    await deployment.close();
    rmSync(files, { recursive: true });
  });

  it('is the one of requests, in both versions and every session, and of nobody else', async () => {
    const [one, other] = [calling(await connect(gateway, as('ada'))), calling(await connect(gateway, as('ada')))];
    expect(await one('add-note', { note: 'first' })).toBe('first');
    expect(await modern(gateway, as('ada'))('add-note', { note: 'second' })).toBe('first,second');
    for (const call of [one, other, modern(gateway, as('ada'))]) expect(await call('notes')).toBe('first,second');
    expect(await modern(gateway, as('bob'))('notes')).toBe('');
  });

  it('notifies the clients of the owner that have subscribed', async () => {
    const client = await connect(gateway, as('bob'));
    const heard: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    await client.subscribeResource({ uri: 'notes://all' });
    await modern(gateway, as('bob'))('add-note', { note: 'a' });
    await waitUntil(() => heard.length > 0, { description: 'the subscriber is notified' });
    expect(heard).toEqual(['notes://all']);
  });

  it.each([
    ['a second time', false, '2'],
    ['no second time if it finds itself in the record', true, '3'],
  ])('is changed %s by a step that runs again because its worker was killed', async (_title, once, expected) => {
    const [counted, goOn] = [join(files, `${expected}-counted`), join(files, `${expected}-go-on`)];
    const answer = calling(await connect(gateway, as('carol')))('count', { once, counted, goOn });
    await waitUntil(() => existsSync(counted), { description: 'the step has counted' });
    await worker.kill();
    writeFileSync(goOn, '');
    worker = await deployment.worker();
    expect(await answer).toBe(expected);
  });
});

describe('the owner in a durable tool of a caller without a name', () => {
  const deployment = Deployment.create(FEATURES);
  let gateway: Process;

  beforeAll(async () => {
    [gateway] = await Promise.all([deployment.gateway(), deployment.worker()]);
  });
  afterAll(() => deployment.close());

  const records = () => deployment.store.recordOwners();

  it('is its session, whose end is that of the records', async () => {
    const [first, second] = [await connect(gateway), await connect(gateway)];
    expect(await calling(first)('add-note', { note: 'first' })).toBe('first');
    expect(await calling(second)('add-note', { note: 'second' })).toBe('second');
    expect(await calling(first)('notes')).toBe('first');
    expect(await records()).not.toEqual([]);
    expect(await deployment.store.leftForEver()).toEqual([]);
    for (const client of [first, second]) await (client.transport as StreamableHTTPClientTransport).terminateSession();
    expect(await records()).toEqual([]);
  });

  it('is nobody without a session, unless the caller has a secret', async () => {
    expect(await modern(gateway)('add-note', { note: 'a' })).toBe('nobody');
    const secret = { 'longhaul-caller-secret': 'a-secret-of-32-characters-at-least' };
    expect(await modern(gateway, secret)('add-note', { note: 'a' })).toBe('a');
    expect(await modern(gateway, secret)('notes')).toBe('a');
    expect(await deployment.store.leftForEver()).toEqual([]);
  });
});

describe('the owner in a durable tool of longhaul stdio', () => {
  let place: Workplace;
  beforeAll(() => {
    place = new Workplace();
  });
  afterAll(() => place.close());

  it('is its one user, in every start', async () => {
    const first = await connectStdio(place, { env: FEATURES });
    expect(await calling(first.client)('add-note', { note: 'kept' })).toBe('kept');
    await first.close();
    const second = await connectStdio(place, { env: FEATURES });
    expect(await calling(second.client)('notes')).toBe('kept');
    await second.close();
  });
});
