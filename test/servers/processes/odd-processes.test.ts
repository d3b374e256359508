/** Tests servers on standard input and output that are odd in ways in which servers of other people are. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alive } from '../../cli/support/launcher.js';
import { textOf } from '../../client/support/clients.js';
import { waitUntil } from '../../support/wait-until.js';
import { oddServer, type Oddity } from '../support/odd-server.js';
import { ServersPlace } from '../support/servers.js';

let place: ServersPlace;
beforeEach(() => {
  place = new ServersPlace();
});
afterEach(() => place.close());

const names = (listed: readonly { readonly name: string }[]): string[] => listed.map(({ name }) => name);
const warnings = (): string[] => place.reported('warning').map(({ message }) => message);
const greeting = (more: string): string => `if (method === 'initialize') return { ...usual.initialize, ${more} };`;

describe('a process', () => {
  it.each<[string, Oddity]>([
    ['writes a banner and other text to its output', { first: `write('> odd@1.0.0 start\\n\\n[dotenv] 3 variables\\n');` }],
    ['ends lines as Windows does', { lineEnd: '\r\n' }],
    [
      'notifies before it answers initialize',
      { answers: `if (method === 'initialize') say({ method: 'notifications/tools/list_changed' });` },
    ],
    ['asks for a ping before it answers initialize', { answers: `if (method === 'initialize') say({ id: 'early', method: 'ping' });` }],
    ['knows 2024-11-05 only, whatever it is asked for', { answers: greeting(`protocolVersion: '2024-11-05'`) }],
    ['repeats the version that it is asked for', { answers: greeting(`protocolVersion: params.protocolVersion`) }],
    [
      'has lists in place of objects',
      {
        answers: `${greeting(`capabilities: { tools: [], logging: [], experimental: [] }`)}
          if (method === 'tools/list') return { tools: [{ name: 'work', annotations: [], inputSchema: { type: 'object', properties: [] } }], _meta: [] };`,
      },
    ],
    [
      'refuses a second initialize, and whatever comes before the first',
      {
        answers: `if (method === 'initialize' && count > 1) return { error: { code: -32600, message: 'Already initialized' } };
          if (counts.initialize === undefined) return { error: { code: -32002, message: 'Not initialized' } };`,
      },
    ],
    [
      'refuses versions that it does not know',
      {
        answers: `if (method === 'initialize' && params.protocolVersion !== '2024-11-05')
            return { error: { code: -32602, message: 'Unsupported protocol version' } };
          if (method === 'initialize') return { ...usual.initialize, protocolVersion: '2024-11-05' };`,
      },
    ],
    [
      'reports progress of nobody',
      { answers: `say({ method: 'notifications/progress', params: { progressToken: 'nobody', progress: 1 } });` },
    ],
    ['never answers a ping', { answers: `if (method === 'ping') return 'none';` }],
    ['answers with ids of nobody', { answers: `say({ id: 4711, result: {} }); say({ id: null, error: { code: -32700, message: 'x' } });` }],
    [
      'has structured content that is a list',
      { answers: `if (method === 'tools/call') return { content: [{ type: 'text', text: 'done' }], structuredContent: [1] };` },
    ],
    [
      'writes 1 MB in one line',
      { answers: `if (method === 'tools/call') return { content: [{ type: 'text', text: 'done' }], _meta: { pad: 'x'.repeat(1e6) } };` },
    ],
    [
      'writes a million lines to its standard error',
      { answers: `if (method === 'tools/call') process.stderr.write('noise\\n'.repeat(1e6));` },
    ],
  ])('that %s is connected and called', async (_title, odd) => {
    const server = await place.one(oddServer(odd));
    expect(names(server.tools)).toEqual(['work']);
    expect(textOf(await server.callTool('work', {}))).toBe('done');
  });

  it('that survives the end of its input and starts others is ended with them', async () => {
    const server = await place.one(
      oddServer({
        first: `process.stdin.on('end', () => {}); setInterval(() => {}, 1000); process.on('SIGTERM', () => {});
          const child = require('node:child_process').spawn('sleep', ['1000']);`,
        answers: `if (method === 'tools/call') return { content: [{ type: 'text', text: process.pid + ' ' + child.pid }] };`,
      }),
    );
    const pids = String(textOf(await server.callTool('work', {})))
      .split(' ')
      .map(Number);
    expect(alive(pids)).toEqual(pids);
    await server.close();
    expect(alive(pids)).toEqual([]);
  });
});

describe('the lists of a process', () => {
  it('are empty where it declares what it does not have', async () => {
    const server = await place.one(
      oddServer({
        answers: `${greeting('capabilities: { tools: {}, prompts: {}, resources: {} }')}
          if (method === 'tools/list') return { error: { code: -32601, message: 'Method not found' } };`,
      }),
      { lists: 'all' },
    );
    for (const kind of ['tools', 'prompts', 'resources', 'resourceTemplates'] as const) expect(server.lists.get(kind)).toEqual([]);
  });

  it('have the first of what has one name', async () => {
    const server = await place.one(
      oddServer({ answers: `if (method === 'tools/list') return { tools: [{ ...tool('a'), title: 'first' }, tool('b'), tool('a')] };` }),
    );
    expect(server.tools).toMatchObject([{ name: 'a', title: 'first' }, { name: 'b' }]);
    expect(warnings()).toEqual(['tools/list has "a" more than once: the first is used']);
  });

  it.each([
    ['null', 'null', []],
    ['an empty text for another page, as 2026-07-28 allows', `count === 1 ? '' : undefined`, []],
    ['the same cursor for ever', `'again'`, ['tools/list gives out the same cursor twice: the 1 entries up to there are used']],
    ['a new cursor for ever', `'page ' + count`, ['tools/list has a page without anything new: the 1 entries up to there are used']],
  ])('end where the cursor is %s', async (_title, cursor, warned) => {
    const server = await place.one(
      oddServer({ answers: `if (method === 'tools/list') return { tools: [tool('work')], nextCursor: ${cursor} };` }),
    );
    expect(names(server.tools)).toEqual(['work']);
    expect(warnings().filter((line) => !line.includes('more than once'))).toEqual(warned);
  });

  it('end after 64 pages, though each has something new', async () => {
    const server = await place.one(
      oddServer({ answers: `if (method === 'tools/list') return { tools: [tool('t' + count)], nextCursor: 'page ' + count };` }),
    );
    expect(server.tools).toHaveLength(64);
    expect(warnings()).toEqual(['tools/list has more than 64 pages: the 64 entries up to there are used']);
  });

  it('are read a few times where it says a thousand times that they have changed, and not reported where they have not', async () => {
    const server = await place.one(
      oddServer({
        answers: `if (method === 'tools/list' && count > 1) say({ method: 'notifications/tools/list_changed' });
          if (method === 'tools/list') return { tools: count > 2 ? [tool('work'), tool('late')] : [tool('work')] };
          if (method !== 'tools/call') return;
          for (let i = 0; i < 1000; i += 1) say({ method: 'notifications/tools/list_changed' });
          return { content: [{ type: 'text', text: String(counts['tools/list']) }] };`,
      }),
    );
    await server.callTool('work', {});
    await waitUntil(() => server.tools.length === 2, { description: 'the list is read again' });
    expect(Number(textOf(await server.callTool('work', {})))).toBeLessThan(10);
    expect(place.reported('list-changed')).toEqual([{ type: 'list-changed', server: 'tested', list: 'tools', entries: 2 }]);
  });

  it('are all kept where all are wanted, as they are', async () => {
    const server = await place.one(
      oddServer({
        answers: `${greeting('capabilities: { tools: {}, prompts: {}, resources: { subscribe: true } }')}
          if (method === 'prompts/list') return { prompts: [{ name: 'greet' }] };
          if (method === 'resources/list') return { resources: [{ uri: 'a://b', name: 'b' }] };
          if (method === 'resources/templates/list') return { resourceTemplates: [{ uriTemplate: 'a://{x}', name: 'x' }] };
          if (method === 'resources/subscribe') { say({ method: 'notifications/resources/updated', params }); return {}; }
          if (method === 'tools/list') return { tools: [{ ...tool('work'), description: 'd'.repeat(9000), _meta: { 'x/y': 1 } }] };`,
      }),
      { lists: 'all' },
    );
    expect(server.tools).toMatchObject([{ description: 'd'.repeat(9_000), _meta: { 'x/y': 1 } }]);
    expect(names(server.lists.get('prompts'))).toEqual(['greet']);
    expect(names(server.lists.get('resourceTemplates'))).toEqual(['x']);
    await server.lists.subscribe('a://b');
    await waitUntil(() => place.reported('resource-updated').length > 0, { description: 'the change of the resource is reported' });
    expect(place.reported('resource-updated')).toMatchObject([{ uri: 'a://b' }]);
  });
});
