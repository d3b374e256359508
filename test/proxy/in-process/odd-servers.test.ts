/** Tests what clients see of servers behind a proxy that are odd in ways in which servers of other people are. */
import { afterEach, describe, expect, it } from 'vitest';
import { alive } from '../../cli/support/launcher.js';
import { Clients, GENERATIONS, KNOWN_CALLER, rejection, textOf } from '../../client/support/clients.js';
import { type Exchange, firstOf, greeting2025, methods, startScriptedServer } from '../../client/support/scripted-server.js';
import { oddServer } from '../../servers/support/odd-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies } from '../support/proxies.js';

const clients = new Clients();
const proxies = new Proxies();
const after: (() => Promise<void>)[] = [];
afterEach(async () => {
  await clients.close();
  await proxies.close();
  for (const end of after.splice(0)) await end();
});

const greeting = (capabilities: string): string =>
  `if (method === 'initialize') return { ...usual.initialize, capabilities: ${capabilities} };`;
const reading = (name: string): object =>
  oddServer({
    answers: `${greeting('{ tools: {}, resources: { subscribe: true } }')}
      if (method === 'resources/subscribe') { setTimeout(() => say({ method: 'notifications/resources/updated', params }), 20); return {}; }
      if (method === 'resources/read' && params.uri === 'a://none') return { error: { code: -32002, message: 'None of theirs' } };
      if (method === 'resources/read') return { contents: [{ uri: params.uri, text: ${JSON.stringify(name)} }] };`,
  });

/** A page of an app, and a tool that names it. */
const APP = {
  tool: { name: 'show', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: 'ui://theirs/page', visibility: ['model', 'app'] } } },
  resource: { uri: 'ui://theirs/page', name: 'page', mimeType: 'text/html;profile=mcp-app', _meta: { ui: { prefersBorder: true } } },
  contents: [
    {
      uri: 'ui://theirs/page',
      mimeType: 'text/html;profile=mcp-app',
      text: '<p>Hello</p>',
      _meta: { ui: { csp: { connectDomains: ['https://theirs.example'] } } },
    },
  ],
};
/** What a server may answer that no client has to know. */
const RESULT = {
  content: [
    { type: 'hologram', depth: 3, parts: [null, { a: 1 }] },
    { type: 'text', text: 'flat', annotations: { audience: ['user'] }, _meta: { 'theirs.example/x': null } },
    { type: 'resource_link', uri: 'a://one', name: 'one', size: 1 },
  ],
  structuredContent: { nothing: null, list: [[], {}, null], 'a b': '\ud83d\ude00' },
  _meta: { 'theirs.example/y': { z: [] } },
  theirs: { more: [] },
};

describe.each(GENERATIONS)('a client of %s', (generation) => {
  it.each(GENERATIONS)('gets pages of apps and results of a server of %s as they are, within the request and as a task', async (theirs) => {
    const capabilities = { tools: {}, resources: {} };
    const serverInfo = { name: 's', version: '1' };
    const results: Record<string, object> = {
      initialize: { protocolVersion: theirs, capabilities, serverInfo },
      'server/discover': { supportedVersions: [theirs], capabilities },
      'tools/list': { tools: ['quick', 'slow'].map((name) => ({ ...APP.tool, name })) },
      'tools/call': RESULT,
      'resources/list': { resources: [APP.resource] },
      'resources/templates/list': { resourceTemplates: [] },
      'resources/read': { contents: APP.contents },
    };
    const isModern = theirs === '2026-07-28';
    const modern = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    const upstream = await startScriptedServer(({ method, result }) =>
      results[method] === undefined ? false : result({ ...results[method], ...(isModern && modern) }),
    );
    after.push(() => upstream.close());
    const tools = { quick: { task: 'forbidden' }, slow: { task: 'optional' } };
    const { url } = await proxies.serve({ theirs: { url: upstream.url, protocolVersion: theirs, tools } });
    const client = await clients.connect(url, { generation, transport: KNOWN_CALLER, keepsUnknown: true });
    expect((await client.client.listTools()).tools.find(({ name }) => name === 'theirs__quick')?._meta).toEqual(APP.tool._meta);
    expect((await client.client.listResources()).resources.find(({ uri }) => uri === APP.resource.uri)).toEqual(APP.resource);
    expect((await client.client.readResource({ uri: APP.resource.uri })).contents).toEqual(APP.contents);
    for (const tool of ['quick', 'slow']) {
      const { _meta, ...result } = await client.callTool(`theirs__${tool}`, {});
      const { _meta: meta, ...expected } = RESULT;
      expect(result).toMatchObject(expected);
      expect(result.content).toEqual(RESULT.content);
      expect(_meta).toMatchObject(meta);
    }
  });
});

describe('a server behind a proxy', () => {
  it.each(['forbidden', 'optional'])('that ends when it is idle is there again for the next call (task: %s)', async (task) => {
    const idle = oddServer(
      {
        answers: `if (method !== 'tools/call') return;
          setTimeout(() => process.exit(0), 20);
          return { content: [{ type: 'text', text: String(process.pid) }] };`,
      },
      { tools: { work: { task } } },
    );
    const { url } = await proxies.serve({ idle });
    const client = await clients.connect(url, { generation: '2025-11-25' });
    const pids: number[] = [];
    for (let calls = 1; calls <= 3; calls += 1) {
      pids.push(Number(textOf(await client.callTool('idle__work', {}))));
      await waitUntil(() => alive(pids).length === 0, { description: 'it has ended' });
    }
    expect(new Set(pids).size).toBe(3);
  });

  it('has a tool listed and called whose schemas clients could not read, with looser ones, which is named', async () => {
    const schemas = `inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/gone' } } },
      outputSchema: { type: 'object', properties: { next: { $ref: '#' } } }`;
    const odd = oddServer(
      {
        answers: `if (method === 'tools/list') return { tools: [{ ...tool('work'), ${schemas} }, tool('plain')] };
        if (method === 'tools/call') return { content: [], structuredContent: { next: { next: {} } } };`,
      },
      { tools: { work: { task: 'forbidden' } } },
    );
    const { url, warnings } = await proxies.serve({ odd });
    const client = await clients.connect(url, { generation: '2025-11-25' });
    expect((await client.client.listTools()).tools.find(({ name }) => name === 'odd__work')).toMatchObject({
      inputSchema: { type: 'object', properties: { a: {} } },
      outputSchema: { type: 'object', properties: { next: { type: 'object' } } },
    });
    expect((await client.callTool('odd__work', {})).structuredContent).toEqual({ next: { next: {} } });
    expect(warnings.filter((line) => line.includes('"work" is listed with schemas that allow more'))).toEqual([
      expect.stringContaining('clients cannot follow "#/$defs/gone", "#"'),
    ]);
  });

  it('has its templates listed and read in forms that features of ours cannot have', async () => {
    const templates = ['a://plain', 'a://items{?limit}', 'a://at/{lat,long}'].map((uriTemplate) => ({ uriTemplate, name: uriTemplate }));
    const odd = oddServer({
      answers: `${greeting('{ tools: {}, resources: {} }')}
        if (method === 'resources/templates/list') return { resourceTemplates: ${JSON.stringify(templates)} };
        if (method === 'resources/read') return { contents: [{ uri: params.uri, text: 'odd' }] };`,
    });
    const { url } = await proxies.serve({ one: reading('one'), odd });
    const client = await clients.connect(url, { generation: '2025-11-25', transport: KNOWN_CALLER });
    expect((await client.client.listResourceTemplates()).resourceTemplates).toEqual(expect.arrayContaining(templates));
    for (const uri of ['a://plain', 'a://items', 'a://items?limit=2', 'a://at/1,2'])
      expect((await client.client.readResource({ uri })).contents).toEqual([{ uri, text: 'odd' }]);
  });

  it('alone has all resources that nobody lists, and their changes; of several nobody is asked', async () => {
    const updated: string[] = [];
    const alone = await proxies.serve({ one: reading('one'), other: oddServer({}) }, { resourceUpdated: (uri) => updated.push(uri) });
    const client = await clients.connect(alone.url, { generation: '2025-11-25', transport: KNOWN_CALLER });
    expect((await client.client.readResource({ uri: 'a://unlisted' })).contents).toEqual([{ uri: 'a://unlisted', text: 'one' }]);
    expect(await rejection(client.client.readResource({ uri: 'a://none' }))).toMatchObject({
      code: -32_002,
      message: expect.stringContaining('None of theirs') as string,
    });
    alone.features.watch('a://unlisted', 'user:ada');
    await waitUntil(() => updated.length > 0, { description: 'the change of the resource is reported' });
    const several = await proxies.serve({ one: reading('one'), two: reading('two') });
    const other = await clients.connect(several.url, { generation: '2025-11-25', transport: KNOWN_CALLER });
    expect(String(await rejection(other.client.readResource({ uri: 'a://unlisted' })))).toContain('Resource a://unlisted not found');
  });
});

describe('fifty servers behind a proxy', () => {
  it('have their 1,000 tools listed without being asked, and a name that one lists twice is left out there alone', async () => {
    const table = {
      'tools/list': ({ result, headers }: Exchange) => {
        const names = Array.from({ length: 20 }, (_, index) => `tool${index}`);
        const all = headers['x-server'] === '7' ? [...names, 'tool0'] : names;
        result({ tools: all.map((name) => ({ name, inputSchema: { type: 'object' } })) });
      },
    };
    const upstream = await startScriptedServer(firstOf(methods(table), greeting2025));
    after.push(() => upstream.close());
    const servers = Array.from({ length: 50 }, (_, index) => [`s${index}`, { url: upstream.url, headers: { 'x-server': String(index) } }]);
    const { url, features, warnings } = await proxies.serve(Object.fromEntries(servers) as Record<string, object>);
    expect(features.tools).toHaveLength(1_000);
    expect(warnings).toEqual([expect.stringContaining('Server "s7": tools/list has "tool0" more than once: the first is used')]);
    expect(upstream.requests('tools/list')).toHaveLength(50);
    const { client } = await clients.connect(url, { generation: '2025-11-25' });
    for (const _time of [1, 2, 3]) expect((await client.listTools()).tools.length).toBeGreaterThanOrEqual(1_000);
    expect(upstream.requests('tools/list')).toHaveLength(50);
    // What is sent is made once.
    expect(features.listings.tools({})).toBe(features.listings.tools({}));
  });
});
