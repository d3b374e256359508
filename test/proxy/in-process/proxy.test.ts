/** Tests what clients see of servers behind a proxy. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Clients, GENERATIONS, KNOWN_CALLER, named, rejection, textOf } from '../../client/support/clients.js';
import { firstOf, greeting2025, methods, startScriptedServer } from '../../client/support/scripted-server.js';
import { oddServer } from '../../servers/support/odd-server.js';
import { TestFolder } from '../../support/test-folder.js';
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

/** A folder of the test. */
function folder(): string {
  const made = new TestFolder();
  after.push(() => made.remove());
  return made.path;
}

/** Has a tool that reads, one that writes, one that asks, a prompt, a resource and a template, all of which say which process answers. */
const WHOLE = oddServer({
  answers: `
    const text = (text) => ({ content: [{ type: 'text', text: String(text) }] });
    if (method === 'initialize') return { ...usual.initialize, capabilities: { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true }, completions: {} } };
    if (method === 'tools/list') return { tools: [
      { ...tool('look'), title: 'Look', annotations: { readOnlyHint: true }, outputSchema: { type: 'object', properties: { pid: { type: 'number' } } }, _meta: { 'x.y/z': { a: 1 } } },
      { ...tool('change'), description: 'Changes it' },
      { ...tool('ask'), annotations: { readOnlyHint: true } },
      ...(globalThis.added ? [tool('added')] : []),
    ] };
    if (method === 'tools/call' && params.name === 'look') return { ...text(process.pid), structuredContent: { pid: process.pid } };
    if (method === 'tools/call' && params.name === 'ask') {
      globalThis.asker = id;
      say({ id: 'question', method: 'elicitation/create', params: { mode: 'form', message: 'Name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } } });
      return 'none';
    }
    if (method === 'tools/call' && params.arguments.add) { globalThis.added = true; say({ method: 'notifications/tools/list_changed' }); }
    if (method === 'tools/call') return { ...text('changed by ' + process.pid), _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'theirs' }, 'x.y/z': 1 } };
    if (method === 'prompts/list') return { prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }] };
    if (method === 'prompts/get') return { messages: [{ role: 'user', content: { type: 'text', text: 'Hello ' + params.arguments.who } }] };
    if (method === 'completion/complete') return { completion: { values: [params.argument.value + '!'] } };
    if (method === 'resources/list') return { resources: [{ uri: 'a://one', name: 'one', mimeType: 'text/plain' }] };
    if (method === 'resources/templates/list') return { resourceTemplates: [{ uriTemplate: 'a://many/{n}', name: 'many' }] };
    if (method === 'resources/read') return { contents: [{ uri: params.uri, text: 'content of ' + params.uri }] };
    if (method === 'resources/subscribe') { setTimeout(() => say({ method: 'notifications/resources/updated', params }), 20); return {}; }`,
  first: `process.stdin.on('data', (data) => {
    for (const line of String(data).split('\\n')) if (line.includes('"id":"question"')) {
      const { result } = JSON.parse(line);
      say({ id: globalThis.asker, result: { content: [{ type: 'text', text: JSON.stringify(result) }] } });
    }
  });`,
});

describe.each(GENERATIONS)('a client of %s', (generation) => {
  it('sees what a server offers as it is, under names of the server, and uses it', async () => {
    const { url } = await proxies.serve({ whole: WHOLE });
    const client = await clients.connect(url, { generation, transport: KNOWN_CALLER });
    const { tools } = await client.client.listTools();
    const look = tools.find(({ name }) => name === 'whole__look');
    expect(look).toEqual({
      name: 'whole__look',
      title: 'Look',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { pid: { type: 'number' } } },
      annotations: { readOnlyHint: true },
      _meta: { 'x.y/z': { a: 1 } },
    });
    expect((await client.callTool('whole__look', {})).structuredContent).toEqual({ pid: expect.any(Number) as number });
    expect(await client.client.getPrompt({ name: 'whole__greet', arguments: { who: 'Ada' } })).toMatchObject({
      messages: [{ content: { text: 'Hello Ada' } }],
    });
    const ref = { type: 'ref/prompt', name: 'whole__greet' } as const;
    expect((await client.client.complete({ ref, argument: { name: 'who', value: 'A' } })).completion.values).toEqual(['A!']);
    expect((await client.client.listResources()).resources.map(({ uri }) => uri)).toContain('a://one');
    for (const uri of ['a://one', 'a://many/7'])
      expect(await client.client.readResource({ uri })).toMatchObject({ contents: [{ uri, text: `content of ${uri}` }] });
  });

  it('has a tool that changes something called as a task, without the server’s own', async () => {
    const { url, service } = await proxies.serve({ whole: WHOLE });
    const client = await clients.connect(url, { generation, transport: KNOWN_CALLER });
    const statuses: string[] = [];
    const result = await client.callTool('whole__change', {}, { onStatus: ({ status }) => statuses.push(status) });
    expect(textOf(result)).toMatch(/^changed by \d+$/);
    expect(result._meta?.['x.y/z']).toBe(1);
    expect(JSON.stringify(result)).not.toContain('theirs');
    expect(statuses.at(-1)).toBe('completed');
    expect(service.created.map(({ tool }) => tool)).toEqual(['whole__change']);
  });

  it('is asked by a server whose tool runs within the request', async () => {
    const { url } = await proxies.serve({ whole: WHOLE });
    const client = await clients.connect(url, { generation, transport: KNOWN_CALLER, onInput: named('Ada') });
    expect(textOf(await client.callTool('whole__ask', {}))).toBe('{"action":"accept","content":{"name":"Ada"}}');
  });
});

describe('the servers behind a proxy', () => {
  it('keep the names of their tools where there is one and nothing else', async () => {
    const { features } = await proxies.serve({ whole: WHOLE }, { isAlone: true });
    expect(features.tools.map(({ name }) => name)).toEqual(['look', 'change', 'ask']);
  });

  it('list what they list only to clients that can be asked', async () => {
    const asking = oddServer({
      answers: `
        if (method === 'initialize') globalThis.can = Object.keys(params.capabilities).toSorted();
        if (method === 'tools/list') return { tools: globalThis.can.filter((kind) => kind !== 'extensions').map((kind) => tool('needs_' + kind)) };`,
    });
    const { features } = await proxies.serve({ asking });
    expect(features.tools.map(({ name }) => name)).toEqual(['elicitation', 'roots', 'sampling'].map((kind) => `asking__needs_${kind}`));
  });

  it('are served without what the file denies, and with what it changes', async () => {
    const { features, url } = await proxies.serve({
      whole: { ...WHOLE, tools: { ask: false, change: { task: 'forbidden', name: 'alter', description: 'Alters it' } } },
    });
    expect(features.tools.map(({ name, taskSupport, listing }) => [name, taskSupport, listing.description])).toEqual([
      ['whole__look', 'optional', undefined],
      ['alter', 'forbidden', 'Alters it'],
    ]);
    const client = await clients.connect(url, { generation: '2025-11-25' });
    expect(textOf(await client.callTool('alter', {}))).toMatch(/^changed by/);
    expect(await rejection(client.callTool('whole__ask', {}))).toMatchObject({ code: -32_602 });
  });

  it('are served without what cannot be served, which is named', async () => {
    const partly = oddServer({
      answers: `if (method === 'initialize') return { ...usual.initialize, capabilities: { tools: {}, resources: { subscribe: true } } };
        if (method === 'tools/list') return { tools: [
          tool('work'), tool('a/b'), { ...tool('loops'), inputSchema: { type: 'object', properties: { a: { $ref: '#' } } } },
          { ...tool('header'), inputSchema: { type: 'object', properties: { a: { type: 'object', 'x-mcp-header': 'A' } } } },
        ] };
        if (method === 'resources/list') return { resources: [{ uri: 'a://' + 'x'.repeat(9000), name: 'long' }, { uri: 'a://ok', name: 'ok' }] };
        if (method === 'resources/templates/list') return { resourceTemplates: [{ uriTemplate: 'a://{', name: 'broken' }] };
        if (method === 'resources/subscribe') { setTimeout(() => say({ method: 'notifications/resources/updated', params }), 20); return {}; }`,
    });
    const other = oddServer({
      answers: `if (method === 'initialize') return { ...usual.initialize, capabilities: { tools: {}, resources: { subscribe: true } } };`,
    });
    const updated: string[] = [];
    const { features, warnings } = await proxies.serve({ partly, other }, { resourceUpdated: (uri) => updated.push(uri) });
    expect(features.tools.map(({ name }) => name)).toEqual([
      'partly__work',
      expect.stringMatching(/^partly__a_b_[0-9a-f]{8}$/) as string,
      'partly__loops',
      'other__work',
    ]);
    expect(features.resources.map(({ uri }) => uri)).toEqual(['a://ok']);
    for (const named of ['"a/b" is called', '"header" is left out', '"a://xxx', '"a://{" is left out'])
      expect(warnings.filter((line) => line.includes(named))).toHaveLength(1);
    for (let at = 0; at < 10_000; at++) features.watch(`a://${at}`, 'user:mallory');
    features.watch('a://ok', 'user:ada');
    features.watch('a://of-nobody', 'user:ada');
    await waitUntil(() => updated.length > 0, { description: 'the change of the resource is reported, whatever others want to know' });
    expect(updated).toEqual(['a://ok']);
  });

  it('change, and clients hear which list has', async () => {
    const flag = join(folder(), 'added');
    const growing = oddServer({
      first: `let isAdded = require('node:fs').existsSync(${JSON.stringify(flag)});
        setInterval(() => {
          if (isAdded || !require('node:fs').existsSync(${JSON.stringify(flag)})) return;
          isAdded = true;
          say({ method: 'notifications/tools/list_changed' });
        }, 20);`,
      answers: `if (method === 'tools/list') return { tools: isAdded ? [tool('work'), tool('added')] : [tool('work')] };`,
    });
    const { service, features, url } = await proxies.serve({ growing });
    const published: string[] = [];
    after.push(await service.store.sessionNotifications.subscribeToAll(({ method }) => void published.push(method)));
    const client = await clients.connect(url, { generation: '2025-11-25' });
    writeFileSync(flag, '');
    await waitUntil(() => published.length > 0, { description: 'the change is published' });
    expect(published).toEqual(['notifications/tools/list_changed']);
    expect(features.tools.map(({ name }) => name)).toEqual(['growing__work', 'growing__added']);
    expect(textOf(await client.callTool('growing__added', {}))).toBe('done');
  });

  it.each([
    ['whose sessions are known', '2025-11-25', () => ({})],
    ['who are known by a secret', '2026-07-28', (caller) => ({ 'longhaul-caller-secret': `${caller}-${'s'.repeat(32)}` })],
  ] satisfies [string, (typeof GENERATIONS)[number], (caller: string) => Record<string, string>][])(
    'have another process for each of the callers %s, and the same one for its calls and its tasks',
    async (_, generation, headersOf) => {
      const { url } = await proxies.serve({ whole: WHOLE });
      const pids: unknown[] = [];
      for (const caller of ['first', 'second', 'third']) {
        const client = await clients.connect(url, { generation, transport: { requestInit: { headers: headersOf(caller) } } });
        const called = [await client.callTool('whole__look', {}), await client.callTool('whole__change', {})];
        const [one, other] = called.map((result) => textOf(result));
        expect(other).toBe(`changed by ${String(one)}`);
        pids.push(one);
      }
      expect(new Set(pids).size).toBe(3);
    },
  );

  it('share one process where the file says so, which then asks nobody', async () => {
    const { url } = await proxies.serve({ whole: { ...WHOLE, sessions: 'shared' } });
    const pids: unknown[] = [];
    for (const _caller of ['first', 'second']) {
      const client = await clients.connect(url, { generation: '2025-11-25', onInput: named('Ada') });
      pids.push(textOf(await client.callTool('whole__look', {})));
    }
    expect(new Set(pids).size).toBe(1);
  });

  it('hear of a call that is cancelled, also while it runs within the request', async () => {
    const upstream = await startScriptedServer(firstOf(methods({ 'tools/call': () => undefined }), greeting2025));
    after.push(() => upstream.close());
    const { url } = await proxies.serve({ remote: { url: upstream.url, tools: { work: { task: 'forbidden' } } } });
    const client = await clients.connect(url, { generation: '2025-11-25' });
    const abort = new AbortController();
    const called = rejection(client.callTool('remote__work', {}, { signal: abort.signal }));
    await waitUntil(() => upstream.requests('tools/call').length > 0, { description: 'the server is called' });
    abort.abort(new Error('not needed'));
    expect(await called).toMatchObject({ message: 'not needed' });
    const cancelled = (): unknown => upstream.sent.find(({ method }) => method === 'notifications/cancelled');
    await waitUntil(() => cancelled() !== undefined, { description: 'the server hears of it' });
    expect(cancelled()).toMatchObject({ params: { requestId: upstream.requests('tools/call')[0]?.id } });
  });

  it('get their own headers, and nothing of a caller', async () => {
    const upstream = await startScriptedServer(
      firstOf(methods({ 'tools/call': ({ result }) => result({ content: [{ type: 'text', text: 'done' }] }) }), greeting2025),
    );
    after.push(() => upstream.close());
    const tools = { work: { task: 'forbidden' } };
    const { url } = await proxies.serve({ remote: { url: upstream.url, headers: { authorization: 'Bearer own' }, tools } });
    const headers = { authorization: 'Bearer token-of-the-caller', 'longhaul-caller-secret': 'a-secret-of-this-caller-alone-0001' };
    const client = await clients.connect(url, { generation: '2025-11-25', transport: { requestInit: { headers } } });
    expect(textOf(await client.callTool('remote__work', {}))).toBe('done');
    const [call] = upstream.requests('tools/call');
    expect(call?.headers.authorization).toBe('Bearer own');
    expect(JSON.stringify([call?.headers, call?.params])).not.toMatch(/of-the-caller|of-this-caller/);
  });
});
