import { beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { serviceForTests, startService } from '../../support/gateway/gateway.js';
import { listedFeatures, waiting, withBrokenList } from '../../support/gateway/listed-features.js';
import { post, rpcSession, type RpcSession } from '../../support/gateway/rpc.js';

let session: RpcSession;

const service = serviceForTests({ features: listedFeatures, settings: { patienceMs: 20 } });
beforeEach(async () => {
  session = await rpcSession(service.app);
});

const read = (uri: string) => session.call('resources/read', { uri });
const namesOf = (items: unknown): string[] => (items as { name: string }[]).map(({ name }) => name);

describe('resources/list', () => {
  it('shows each resource', async () => {
    const { result } = await session.call('resources/list');

    expect(result).toEqual({
      resources: [
        { uri: 'note://text', name: 'text', mimeType: 'text/markdown' },
        { uri: 'note://bytes', name: 'bytes', size: 3 },
        { uri: 'note://json', name: 'json' },
        { uri: 'note://full', name: 'full' },
        { uri: 'note://needy', name: 'needy' },
      ],
    });
  });

  it('shows what a template lists to this session, and to no other one', async () => {
    const other = await rpcSession(service.app);
    for (const city of ['Paris', 'Lyon']) await session.call('tools/call', { name: 'visit', arguments: { city } });
    const { result } = await session.call('resources/list');

    expect(((result?.['resources'] ?? []) as object[]).slice(5)).toEqual([
      { uri: 'city://visited/Lyon', name: 'Lyon' },
      { uri: 'city://visited/Paris', name: 'Paris' },
    ]);
    expect((await other.call('resources/list')).result?.['resources']).toHaveLength(5);
  });

  it('leaves out what needs more of the client than it offers', async () => {
    session = await rpcSession(service.app, '2025-11-25', {});

    expect(namesOf((await session.call('resources/list')).result?.['resources'])).toEqual(['text', 'bytes', 'json', 'full']);
  });

  it.each([
    ['error', { code: -32603, message: 'out of cheese' }],
    ['rpc', { code: -32050, message: 'refused by design', data: { part: 7 } }],
  ])('answers with what a list of a template throws, in its own words: %s', async (kind, error) => {
    const broken = await startService({ features: withBrokenList(kind) });
    const { call } = await rpcSession(broken.app);

    expect((await call('resources/list')).error).toEqual(error);
    expect(broken.logs.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    await broken.close();
  });

  it('can be cancelled while a template lists', async () => {
    const slow = await startService({ features: withBrokenList('wait'), settings: { patienceMs: 20 } });
    session = await rpcSession(slow.app);
    const known = waiting.length;
    const answer = post(slow.app, { jsonrpc: '2.0', id: 'list', method: 'resources/list' }, session.headers);
    const signal = await waitUntil(() => waiting[known], { description: 'the template lists' });
    await post(slow.app, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'list' } }, session.headers);

    expect((await answer).body).not.toContain('"id":"list"');
    expect(signal.aborted).toBe(true);
    await slow.close();
  });
});

describe('resources/templates/list', () => {
  it('shows each template that is listed', async () => {
    const { result } = await session.call('resources/templates/list');

    expect(result).toEqual({
      resourceTemplates: [
        { uriTemplate: 'city://{country}/{name}', name: 'city', title: 'City', description: 'A city', mimeType: 'text/plain' },
        { uriTemplate: 'needy://{x}', name: 'needy' },
        { uriTemplate: 'fault://{kind}', name: 'fault' },
        { uriTemplate: 'none://{x}', name: 'none' },
      ],
    });
  });

  it('leaves out what needs more of the client than it offers', async () => {
    session = await rpcSession(service.app, '2025-11-25', {});
    const { result } = await session.call('resources/templates/list');

    expect(namesOf(result?.['resourceTemplates'])).toEqual(['city', 'fault', 'none']);
  });
});

describe('resources/read', () => {
  it.each([
    ['note://text', [{ uri: 'note://text', mimeType: 'text/markdown', text: '# A note' }]],
    ['note://bytes', [{ uri: 'note://bytes', mimeType: 'application/octet-stream', blob: 'AQID' }]],
    ['note://json', [{ uri: 'note://json', mimeType: 'application/json', text: '{"uri":"note://json","list":[1]}' }]],
    ['note://full', [{ uri: 'note://full/part', text: 'a part' }]],
    ['city://France/Le%20Havre', [{ uri: 'city://France/Le%20Havre', mimeType: 'text/plain', text: 'Le Havre in France' }]],
    ['hidden://treasure', [{ uri: 'hidden://treasure', mimeType: 'text/plain', text: 'found treasure' }]],
  ])('answers with the content of %s', async (uri, contents) => {
    expect((await read(uri)).result).toMatchObject({ contents });
  });

  it.each([
    ['that there is none of', 'note://no-such'],
    ['that its template does not have', 'city://France/nowhere'],
    ['of a template with nothing', 'none://x'],
    ['with too many parts for its template', 'city://a/b/c'],
    ['with a broken escape', 'city://France/%'],
    ['that is no URI', 'text'],
    ['that is empty', ''],
  ])('does not know a resource %s', async (_title, uri) => {
    expect((await read(uri)).error).toEqual({ code: -32002, message: `Resource ${uri} not found`, data: { uri } });
  });

  it.each([{}, { uri: 7 }])('refuses params without a URI, and names the field: %j', async (params) => {
    const { error } = await session.call('resources/read', params);

    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/^Invalid params: uri: /) as string });
  });

  it.each(['note://needy', 'needy://x'])('is refused when the client lacks what %s needs', async (uri) => {
    session = await rpcSession(service.app, '2025-11-25', {});

    expect((await read(uri)).error).toMatchObject({ code: -32602, message: expect.stringContaining('needs capabilities') as string });
  });

  it.each([
    ['an error', 'error', { code: -32603, message: 'out of cheese' }],
    ['a JSON-RPC error', 'rpc', { code: -32050, message: 'refused by design', data: { part: 7 } }],
  ])('answers with %s that the resource throws, in its own words, and logs nothing', async (_title, kind, error) => {
    const logged = service.logs.length;

    expect((await read(`fault://${kind}`)).error).toEqual(error);
    expect(service.logs.slice(logged)).toEqual([]);
  });

  it('can be cancelled', async () => {
    const known = waiting.length;
    const answer = post(
      service.app,
      { jsonrpc: '2.0', id: 'read', method: 'resources/read', params: { uri: 'fault://wait' } },
      session.headers,
    );
    const signal = await waitUntil(() => waiting[known], { description: 'the resource waits' });
    await post(service.app, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'read' } }, session.headers);

    expect((await answer).body).not.toContain('"id":"read"');
    expect(signal.aborted).toBe(true);
  });
});
