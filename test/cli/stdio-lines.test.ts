/** Tests `longhaul stdio` with a client that breaks the rules, or only follows older ones. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { waitUntil } from '../support/wait-until.js';
import { Workplace } from './support/launcher.js';
import { GREETING, StdioLines } from './support/stdio-client.js';

const LIMIT = 10_000;
const env = { LONGHAUL_BODY_LIMIT_BYTES: String(LIMIT) };
const echo = { name: 'echo', arguments: { message: 'hello' } };
const request = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });

describe('a session', () => {
  let place: Workplace;
  let stdio: StdioLines;

  beforeAll(async () => {
    place = new Workplace();
    stdio = new StdioLines(place, env);
    await stdio.open();
  });
  afterAll(() => place.close());

  test.each([
    ['{"jsonrpc": "2.0", "id": 1', { id: null, error: { code: -32700, message: 'Parse error: Invalid JSON' } }],
    ['\u0000\uFFFD', { id: null, error: { code: -32700 } }],
    ['"text"', { id: null, error: { code: -32600, message: 'Invalid Request: a message is an object' } }],
    ['{"id": 7.5, "jsonrpc": "2.0", "method": "ping"}', { id: null, error: { code: -32600 } }],
  ])('answers %j without an id', async (line, answer) => {
    const before = stdio.received().length;
    stdio.send(line);
    await waitUntil(() => stdio.received().length > before, { description: 'it is answered' });
    expect(stdio.received().slice(before)).toMatchObject([answer]);
  });

  test.each([
    ['no-version', { id: 'no-version', method: 'ping' }, -32600],
    ['params', { jsonrpc: '2.0', id: 'params', method: 'ping', params: 'text' }, -32600],
    ['method', { jsonrpc: '2.0', id: 'method', method: 5 }, -32600],
    ['unknown', request('unknown', 'no/such'), -32601],
    ['tool', request('tool', 'tools/call', { name: 'no-such' }), -32602],
    [
      'again',
      request('again', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
      -32600,
    ],
    ['deep', `{"jsonrpc":"2.0","id":"deep","method":"ping","params":{"a":${'['.repeat(300)}${']'.repeat(300)}}}`, -32600],
    ['long', request('long', 'tools/call', { name: 'echo', arguments: { message: 'x'.repeat(LIMIT) } }), -32000],
  ])('answers the request "%s" with an error', async (id, message, code) => {
    stdio.send(message);
    expect(await stdio.answer(id)).toMatchObject({ error: { code } });
  });

  test('names the limit of a message', () => {
    const { error } = stdio.received().find(({ id }) => id === 'long') ?? {};
    expect(error?.message).toContain(`${LIMIT} bytes`);
  });

  test('refuses a batch, which its revision does not have, for each of its requests', async () => {
    stdio.send([request('one', 'ping'), request('two', 'ping')]);
    expect(await Promise.all([stdio.answer('one'), stdio.answer('two')])).toMatchObject([
      { error: { code: -32600 } },
      { error: { code: -32600 } },
    ]);
  });

  test('takes lines that end with a carriage return, and characters beyond ASCII', async () => {
    stdio.send(`${JSON.stringify(request('cr', 'tools/call', { name: 'echo', arguments: { message: 'größe 🙂' } }))}\r`);
    expect(await stdio.answer('cr')).toMatchObject({ result: { content: [{ text: 'Echo: größe 🙂' }] } });
  });

  test('goes on after all of that', async () => {
    expect(await stdio.call('last', 'tools/call', echo)).toMatchObject({ result: { content: [{ text: 'Echo: hello' }] } });
    expect(stdio.launcher.stderr().replace(GREETING, '')).toBe('');
  });
});

describe('a byte order mark', () => {
  let place: Workplace;
  beforeEach(() => {
    place = new Workplace();
  });
  afterEach(() => place.close());

  test('before the first message is skipped', async () => {
    const stdio = new StdioLines(place, env);
    stdio.launcher.write('\ufeff');
    await stdio.open();
    expect(await stdio.call(1, 'tools/call', echo)).toMatchObject({ result: { content: [{ text: 'Echo: hello' }] } });
  });
});

describe('another revision', () => {
  let place: Workplace;
  let stdio: StdioLines;

  beforeEach(() => {
    place = new Workplace();
    stdio = new StdioLines(place, env);
  });
  afterEach(() => place.close());

  test('2025-03-26 has batches', async () => {
    await stdio.open('2025-03-26');
    stdio.send([request(1, 'ping'), request(2, 'tools/call', echo), { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }]);
    const answers = await stdio.message((message) => Array.isArray(message), 'the batch is answered');
    expect(answers).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: { content: [{ text: 'Echo: hello' }] } },
    ]);
  });

  test('2026-07-28 needs no session', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    expect(await stdio.call(1, 'server/discover', { _meta })).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } });
    expect(await stdio.call(2, 'tools/call', { ...echo, _meta })).toMatchObject({ result: { content: [{ text: 'Echo: hello' }] } });
    const regional = { name: 'regional', arguments: { region: 'west' }, _meta };
    expect(await stdio.call('regional', 'tools/call', regional)).toMatchObject({ result: { content: [{ text: 'in west' }] } });
    stdio.send(request(3, 'tools/call', { name: 'slow', arguments: { ms: 60_000 }, _meta }));
    stdio.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } });
    stdio.send(request(4, 'subscriptions/listen', { notifications: { resourceSubscriptions: ['test://note'] }, _meta }));
    await stdio.message(({ method }) => method === 'notifications/subscriptions/acknowledged', 'the subscription is acknowledged');
    await stdio.call(5, 'tools/call', { name: 'touch', arguments: {}, _meta });
    await stdio.message(({ method }) => method === 'notifications/resources/updated', 'the client is notified of the change');
    expect(stdio.received().filter(({ id }) => id === 3)).toEqual([]);
  });

  test('2026-07-28 passes on why a call is cancelled: a time-out lets its task continue, and a stop ends it', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const listed = async (id: string) => {
      const { result } = await stdio.call(id, 'tools/call', { name: 'task_list', arguments: {}, _meta });
      const { tasks } = (result?.['structuredContent'] ?? { tasks: [] }) as { tasks: { taskId: string; status: string }[] };
      return tasks;
    };
    for (const [id, count] of [
      ['slow', 1],
      ['stopped', 2],
    ] as const) {
      stdio.send(request(id, 'tools/call', { name: 'stages', arguments: { ms: 60_000 }, _meta }));
      await waitUntil(async () => (await listed(`${id} ${randomUUID()}`)).length === count, { description: 'it has a task' });
      const reason = id === 'slow' ? 'SdkError: Request timed out' : 'The user has stopped it';
      stdio.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason } });
    }
    await waitUntil(async () => (await listed(randomUUID()))[0]?.status === 'cancelled', { description: 'the stopped call has ended' });

    const [stopped, slow] = await listed('last');
    expect([stopped?.status, slow?.status]).toEqual(['cancelled', 'working']);
    await stdio.call('end', 'tools/call', { name: 'task_cancel', arguments: { taskId: slow?.taskId }, _meta });
  });

  test('without initialize gets an error that names what is missing', async () => {
    expect(await stdio.call(1, 'tools/list')).toMatchObject({
      error: { code: -32600, message: 'Invalid Request: the first request must be initialize' },
    });
    expect(await stdio.call(2, 'ping')).toMatchObject({ result: {} });
    await stdio.open();
    expect(await stdio.call(3, 'tools/call', echo)).toMatchObject({ result: {} });
  });
});
