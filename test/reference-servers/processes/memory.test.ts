/** Tests the knowledge graph at gateways in separate processes: nothing is lost, and each caller has an own graph. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectStdio } from '../../cli/support/stdio-client.js';
import { Workplace } from '../../cli/support/launcher.js';
import { modernHeaders, withEnvelope } from '../../support/gateway-2026/rpc.js';
import { Deployment } from '../../support/deployment.js';
import { messagesOf } from '../../support/event-stream.js';
import { waitUntil } from '../../support/wait-until.js';

const FEATURES = { LONGHAUL_FEATURES: '@longhaul/reference-servers/memory' };
const URI = 'memory://knowledge-graph';
const BYTES = 100_000;
/** Names of what objects have without being given it. */
const OF_EVERY_OBJECT = ['__proto__', 'constructor', 'toString'];

type Headers = Readonly<Record<string, string>>;
type Graph = { readonly entities: { readonly name: string }[]; readonly relations: object[]; readonly nextCursor?: string };

const as = (name: string): Headers => ({ authorization: `Bearer token-of-${name}-00001` });
const entity = (name: string, ...observations: string[]) => ({ name, entityType: 'thing', observations });
const namesIn = ({ entities }: Graph): string[] => entities.map(({ name }) => name);

const clients: Client[] = [];
async function connect(url: string, headers: Headers = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  clients.push(client);
  return client;
}

async function call<T = Graph>(client: Client, name: string, args: object = {}): Promise<T> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...args } });
  if (isError === true) throw new Error((content as { text: string }[])[0]?.text);
  return structuredContent as T;
}

const create = (client: Client, ...entities: object[]): Promise<Graph> => call(client, 'create_entities', { entities });
const read = (client: Client): Promise<Graph> => call(client, 'read_graph');

/** A request of revision 2026-07-28. @returns the response once its headers are there */
async function modern(url: string, method: string, params: Record<string, unknown>, headers: Headers = {}): Promise<Response> {
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...modernHeaders(method, params) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: withEnvelope(params) });
  return fetch(url, { method: 'POST', headers: { ...common, ...headers }, body });
}

/** A call of a tool in revision 2026-07-28. */
async function modernCall(url: string, name: string, args: object = {}, headers: Headers = {}) {
  const text = await (await modern(url, 'tools/call', { name, arguments: args }, headers)).text();
  const { result } = (text.startsWith('{') ? JSON.parse(text) : messagesOf(text).at(-1)) as {
    result: { content: { text: string }[]; isError?: boolean; structuredContent?: Graph };
  };
  return result;
}

/** Listens to the graph in revision 2026-07-28. @returns what has come so far */
async function listen(url: string, headers: Headers): Promise<() => string> {
  const response = await modern(url, 'subscriptions/listen', { notifications: { resourceSubscriptions: [URI] } }, headers);
  let text = '';
  const reading = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) text += decoder.decode(part, { stream: true });
  };
  reading().catch(() => undefined); // The deployment ends first.
  await waitUntil(() => text.includes('acknowledged'), { description: 'the stream listens' });
  return () => text;
}

afterAll(() => Promise.all(clients.map((client) => client.close())));

describe('the graphs of known callers', () => {
  const tokens = ['ada', 'bob', 'carol', 'dora', 'eve'].map((name) => `${name}:token-of-${name}-00001`).join(',');
  // The calls of one session at once are more than a client usually makes.
  const limits = { LONGHAUL_MEMORY_MAX_BYTES: String(BYTES), LONGHAUL_MAX_OPEN_STREAMS: '1000' };
  const deployment = Deployment.create({ ...FEATURES, LONGHAUL_TOKENS: tokens, ...limits });
  let urls: string[];

  beforeAll(async () => {
    urls = (await Promise.all([deployment.gateway(), deployment.gateway()])).map(({ url }) => url);
  });
  afterAll(() => deployment.close());

  const connectAll = (name: string): Promise<Client[]> => Promise.all(urls.map((url) => connect(url, as(name))));

  it('lose nothing of 100 writers at once at two gateways', async () => {
    const both = await connectAll('ada');
    const writer = (at: number): Client => both[at % 2] as Client;
    await create(writer(0), entity('shared'));
    await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        await create(writer(at), entity(`of ${at}`));
        await call(writer(at), 'add_observations', { observations: [{ entityName: 'shared', contents: [`seen by ${at}`] }] });
        await call(writer(at), 'create_relations', { relations: [{ from: `of ${at}`, to: 'shared', relationType: 'saw' }] });
      }),
    );
    for (const client of both) {
      const { entities, relations } = await read(client);
      expect([entities.length, relations.length]).toEqual([101, 100]);
      expect(new Set((entities[0] as unknown as { observations: string[] }).observations).size).toBe(100);
    }
  });

  it('are each their own in both versions, and the same one in both and in every session', async () => {
    const [first, second] = await connectAll('bob');
    const [url = ''] = urls;
    await create(first as Client, ...["bob's", ...OF_EVERY_OBJECT].map((name) => entity(name)));
    await create((await connectAll('carol'))[0] as Client, entity("carol's"));
    const expected = ["bob's", ...OF_EVERY_OBJECT];
    expect(namesIn(await read(second as Client))).toEqual(expected);
    expect(namesIn((await modernCall(url, 'read_graph', {}, as('bob'))).structuredContent as Graph)).toEqual(expected);
    expect(namesIn((await modernCall(url, 'read_graph', {}, as('carol'))).structuredContent as Graph)).toEqual(["carol's"]);
    // A missing record belongs to no caller, by any name.
    const opened = await modernCall(url, 'open_nodes', { names: OF_EVERY_OBJECT }, as('carol'));
    expect(opened.structuredContent).toEqual({ entities: [], relations: [] });
    const { contents } = await (second as Client).readResource({ uri: URI });
    expect(namesIn(JSON.parse((contents[0] as { text: string }).text) as Graph)).toEqual(expected);
  });

  it('notify every client of the owner that has subscribed, in both versions and at every gateway, and nobody else', async () => {
    const heard = new Map<string, number>();
    const subscribe = async (name: string, url: string, wants = true): Promise<Client> => {
      const client = await connect(url, as(name.split(' ', 1)[0] ?? ''));
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
        expect(params.uri).toBe(URI);
        heard.set(name, (heard.get(name) ?? 0) + 1);
      });
      if (wants) await client.subscribeResource({ uri: URI });
      return client;
    };
    const [one = '', other = ''] = urls;
    const writer = await subscribe('dora 1', one);
    await subscribe('dora 2', other);
    await subscribe('dora 3', other, false);
    const stranger = await subscribe('eve 1', other);
    const [modernDora, modernEve] = await Promise.all([listen(other, as('dora')), listen(other, as('eve'))]);
    await create(writer, entity('a'));
    const hasCome = (): boolean => heard.size === 2 && modernDora().includes('notifications/resources/updated');
    await waitUntil(hasCome, { description: 'those of the owner have been notified' });
    expect(modernEve()).not.toContain('updated');
    await create(stranger, entity('a'));
    await waitUntil(() => heard.has('eve 1') && modernEve().includes('updated'), { description: 'the other owner is notified of its own' });
    expect(Object.fromEntries(heard)).toEqual({ 'dora 1': 1, 'dora 2': 1, 'eve 1': 1 });
  });

  it('are as large as LONGHAUL_MEMORY_MAX_BYTES says, which the error names; nothing of what is too much is kept', async () => {
    const [client] = (await connectAll('eve')) as [Client];
    const before = namesIn(await read(client));
    const tooMuch = create(client, entity('small'), entity('large', 'x'.repeat(BYTES)));
    await expect(tooMuch).rejects.toThrow(/at most 100000 bytes.*LONGHAUL_MEMORY_MAX_BYTES/);
    expect(namesIn(await read(client))).toEqual(before);
  });

  it('are read in pages', async () => {
    const [client] = (await connectAll('carol')) as [Client];
    await create(client, ...Array.from({ length: 10 }, (_, index) => entity(`page ${index}`)));
    const all = namesIn(await read(client));
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Graph = await call(client, 'read_graph', { limit: 4, ...(cursor !== undefined && { cursor }) });
      expect(page.entities.length).toBeLessThanOrEqual(4);
      found.push(...namesIn(page));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found).toEqual(all);
    await expect(call(client, 'read_graph', { cursor: 'none' })).rejects.toThrow('There is no such cursor');
  });
});

describe('the graphs of callers without a name', () => {
  const deployment = Deployment.create(FEATURES);
  let url: string;

  beforeAll(async () => {
    ({ url } = await deployment.gateway());
  });
  afterAll(() => deployment.close());

  const keys = async (): Promise<string[]> =>
    (await deployment.redis.redis.keys(`${deployment.redis.prefix}:*`)).filter((key) => key.includes(':records:'));

  it('are one for each session, end with it, and no key of them stays for ever; the tools say so', async () => {
    const [first, second] = [await connect(url), await connect(url)];
    await create(first, entity('first'));
    await create(second, entity('second'));
    expect([namesIn(await read(first)), namesIn(await read(second))]).toEqual([['first'], ['second']]);
    expect(await keys()).not.toEqual([]);
    expect(await deployment.redis.keysWithoutTtl()).toEqual([]);
    for (const client of [first, second]) await (client.transport as StreamableHTTPClientTransport).terminateSession();
    expect(await keys()).toEqual([]);
    const { tools } = await (await connect(url)).listTools();
    const saying = tools.filter(({ description }) => description?.includes('without authentication it is that of the session'));
    expect(saying.map(({ name }) => name)).toEqual(['create_entities', 'read_graph']);
  });

  it('are none without a session, which the error says, unless the caller has a secret', async () => {
    const refused = await modernCall(url, 'create_entities', { entities: [entity('a')] });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('nothing is known of the one') as string }] });
    const secret = { 'longhaul-caller-secret': 'a-secret-of-32-characters-at-least' };
    await modernCall(url, 'create_entities', { entities: [entity('of the secret')] }, secret);
    expect((await modernCall(url, 'read_graph', {}, secret)).structuredContent).toMatchObject({ entities: [{ name: 'of the secret' }] });
    const another = { 'longhaul-caller-secret': 'another-secret-of-32-characters-at-least' };
    expect((await modernCall(url, 'read_graph', {}, another)).structuredContent).toMatchObject({ entities: [] });
    expect(await deployment.redis.keysWithoutTtl()).toEqual([]);
  });
});

describe('the graph of longhaul stdio', () => {
  let place: Workplace;
  beforeAll(() => {
    place = new Workplace();
  });
  afterAll(() => place.close());

  it('is the same one in processes that run at the same time', async () => {
    const sharing = await Promise.all([connectStdio(place, { env: FEATURES }), connectStdio(place, { env: FEATURES })]);
    await create(sharing[0].client, entity('of both'));
    expect(namesIn(await read(sharing[1].client))).toContain('of both');
    await Promise.all(sharing.map((one) => one.close()));
  });
});
