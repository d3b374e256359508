/** Tests the messages on the wire in generation 2026-07-28, at servers with unusual behaviour on demand. */
import { ClientError, ConnectionLostError, type InputContext, ProtocolViolationError, RpcError } from '@longhaul/client';
import { afterEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { Clients, named, rejection, textOf } from './support/clients.js';
import {
  acknowledgement,
  done,
  type Exchange,
  firstOf,
  greeting2026,
  methods,
  type ScriptedServer,
  startScriptedServer,
  task2026,
} from './support/scripted-server.js';

type Table = Parameters<typeof methods>[0];

const clients = new Clients();
const servers: ScriptedServer[] = [];

afterEach(async () => {
  await clients.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function scripted(table: Table, port?: number): Promise<ScriptedServer> {
  const server = await startScriptedServer(firstOf(methods(table), greeting2026), port === undefined ? {} : { port });
  servers.push(server);
  return server;
}

const meta = ({ params }: Exchange) => params['_meta'] as Record<string, unknown>;
const working = ({ result }: Exchange): void => result({ resultType: 'task', ...task2026('working', { pollIntervalMs: 20 }) });
const completed = ({ result }: Exchange): void => result({ resultType: 'complete', ...task2026('completed', { result: done() }) });

describe('a request', () => {
  it('carries the envelope, an id of its own and headers that say the same', async () => {
    const server = await scripted({ 'tools/call': working, 'tasks/get': completed });
    const client = await clients.connect(server.url, { clientInfo: { name: 'me', version: '7' }, capabilities: { sampling: {} } });
    await client.callTool('work', { a: 1 }, { meta: { traceparent: '00-1-2-03' } });
    const [call, get] = [server.requests('tools/call')[0]!, server.requests('tasks/get')[0]!];
    for (const request of [call, get]) {
      expect(meta(request)).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'me', version: '7' },
        'io.modelcontextprotocol/clientCapabilities': { sampling: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
      });
      expect(request.headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': request.method });
      expect(request.headers.accept).toMatch(/application\/json.*text\/event-stream/);
    }
    expect(meta(call)).toMatchObject({ traceparent: '00-1-2-03' });
    expect(call.params['arguments']).toEqual({ a: 1 });
    expect(call.headers['mcp-name']).toBe('work');
    expect(get.headers['mcp-name']).toBe('task-1');
    expect(call.id).not.toBe(get.id);
  });

  it('encodes names that a header cannot carry', async () => {
    const server = await scripted({ 'tools/call': ({ result }) => result(done()) });
    await (await clients.connect(server.url)).callTool('grüßen');
    expect(server.requests('tools/call')[0]?.headers['mcp-name']).toBe(`=?base64?${Buffer.from('grüßen').toString('base64')}?=`);
  });

  it('is answered by a stream as well as by JSON', async () => {
    const server = await scripted({
      'tools/call': (exchange) => exchange.stream().result({ resultType: 'task', ...task2026('working', { pollIntervalMs: 20 }) }),
      'tasks/get': (exchange) =>
        exchange.stream().result({ resultType: 'complete', ...task2026('completed', { result: done('streamed') }) }),
    });
    expect(textOf(await (await clients.connect(server.url)).callTool('work'))).toBe('streamed');
  });

  it('uses the headers, and the fetch, of the transport options', async () => {
    const server = await scripted({ 'tools/call': working, 'tasks/get': completed });
    let fetched = 0;
    const transport = {
      requestInit: { headers: { authorization: 'Bearer secret' } },
      fetch: (...args: Parameters<typeof fetch>) => {
        fetched += 1;
        return fetch(...args);
      },
    };
    await (await clients.connect(server.url, { transport })).callTool('work');
    for (const method of ['tools/call', 'tasks/get']) expect(server.requests(method)[0]?.headers.authorization).toBe('Bearer secret');
    expect(fetched).toBeGreaterThanOrEqual(3);
  });

  it('mirrors marked arguments into headers from the first call on, by the schema that the server lists', async () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const server = await scripted({
      'tools/list': ({ result }) =>
        result({ resultType: 'complete', tools: [{ name: 'work', inputSchema }], ttlMs: 0, cacheScope: 'private' }),
      'tools/call': ({ headers, result, error }) =>
        headers['mcp-param-region'] === 'north' ? result(done()) : error(-32_020, 'Header mismatch', undefined, 400),
    });
    const client = await clients.connect(server.url);
    expect(textOf(await client.callTool('work', { region: 'north' }))).toBe('done');
    expect(textOf(await client.callTool('work', { region: 'north' }))).toBe('done');
    expect(server.requests('tools/call')).toHaveLength(2);
    expect(server.requests('tools/list')).toHaveLength(1);
  });

  it('lists the tools again when the server says that headers are missing, and is sent with them', async () => {
    let header: string | undefined;
    const server = await scripted({
      'tools/list': ({ result }) => {
        const region = { type: 'string', ...(header !== undefined && { 'x-mcp-header': header }) };
        const inputSchema = { type: 'object', properties: { region } };
        result({ resultType: 'complete', tools: [{ name: 'work', inputSchema }], ttlMs: 0, cacheScope: 'private' });
        header = 'Region';
      },
      'tools/call': ({ headers, result, error }) =>
        headers['mcp-param-region'] === 'north' ? result(done()) : error(-32_020, 'Header mismatch', undefined, 400),
    });
    const client = await clients.connect(server.url);
    expect(textOf(await client.callTool('work', { region: 'north' }))).toBe('done');
    expect(server.requests('tools/call')).toHaveLength(2);
    expect(server.requests('tools/list')).toHaveLength(2);
  });

  it('is sent without such headers to a server that lists no tools', async () => {
    const server = await scripted({
      'tools/list': ({ error }) => error(-32_601, 'Method not found', undefined, 404),
      'tools/call': ({ result }) => result(done()),
    });
    expect(textOf(await (await clients.connect(server.url)).callTool('work'))).toBe('done');
  });
});

describe('input before the answer', () => {
  const question = {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
  };

  it('goes with the server’s state, under a new id, round after round', async () => {
    const server = await scripted({
      'tools/call': ({ params, result }) => {
        const state = params['requestState'];
        if (state === undefined) result({ resultType: 'input_required', inputRequests: { who: question }, requestState: 'one' });
        else if (state === 'one') result({ resultType: 'input_required', inputRequests: { who: question }, requestState: 'two' });
        else result(done('known'));
      },
    });
    const names = ['Ada', 'Eve'];
    const client = await clients.connect(server.url, { capabilities: { elicitation: { form: {} } } });
    const onInput = { elicitation: () => ({ action: 'accept' as const, content: { name: names.shift()! } }) };
    expect(textOf(await client.callTool('work', { a: 1 }, { onInput }))).toBe('known');
    const rounds = server.requests('tools/call');
    expect(rounds.map(({ params }) => params['inputResponses'])).toEqual([
      undefined,
      { who: { action: 'accept', content: { name: 'Ada' } } },
      { who: { action: 'accept', content: { name: 'Eve' } } },
    ]);
    expect(new Set(rounds.map(({ id }) => id)).size).toBe(3);
    expect(rounds.map(({ params }) => params['arguments'])).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
  });

  it('is asked for all at the same time, by the names of the server', async () => {
    const server = await scripted({
      'tools/call': ({ params, result }) =>
        params['inputResponses'] === undefined
          ? result({ resultType: 'input_required', inputRequests: { who: question, whom: question } })
          : result(done('known')),
    });
    const asked: (string | undefined)[] = [];
    const both = Promise.withResolvers<void>();
    const elicitation = async (_: unknown, { key }: InputContext) => {
      asked.push(key);
      if (asked.length === 2) both.resolve();
      await both.promise;
      return { action: 'accept' as const, content: { name: `for ${key}` } };
    };
    const client = await clients.connect(server.url, { capabilities: { elicitation: { form: {} } } });
    expect(textOf(await client.callTool('work', {}, { onInput: { elicitation } }))).toBe('known');
    expect(asked).toEqual(['who', 'whom']);
    expect(server.requests('tools/call')[1]?.params['inputResponses']).toEqual({
      who: { action: 'accept', content: { name: 'for who' } },
      whom: { action: 'accept', content: { name: 'for whom' } },
    });
  });

  it('is not given without end', async () => {
    const server = await scripted({
      'tools/call': ({ params, result }) => result({ resultType: 'input_required', requestState: `${String(params['requestState'])}+` }),
    });
    await expect((await clients.connect(server.url)).callTool('work')).rejects.toThrow('exceeded 100 input-required rounds');
    expect(server.requests('tools/call')).toHaveLength(101);
  });

  it('of a prompt is given through the client of the SDK', async () => {
    const server = await scripted({
      'prompts/get': ({ params, result }) =>
        params['inputResponses'] === undefined
          ? result({ resultType: 'input_required', inputRequests: { who: question } })
          : result({ resultType: 'complete', messages: [] }),
    });
    const client = await clients.connect(server.url, { onInput: named('Ada') });
    await client.client.getPrompt({ name: 'greeting' });
    expect(server.requests('prompts/get')[1]?.params['inputResponses']).toEqual({ who: { action: 'accept', content: { name: 'Ada' } } });
  });
});

describe('a server that is away for a moment', () => {
  it.each([429, 502, 503, 504])('with HTTP %i is asked again for what is only read', async (status) => {
    let refusals = 2;
    const server = await scripted({
      'tools/call': working,
      'tasks/get': (exchange) => (refusals-- > 0 ? exchange.status(status) : completed(exchange)),
    });
    expect(textOf(await (await clients.connect(server.url)).callTool('work'))).toBe('done');
  });

  it('is sent a call once only', async () => {
    for (const refuse of [
      ({ status }: Exchange) => status(503),
      ({ cut }: Exchange) => cut(),
      (exchange: Exchange) => exchange.stream().cut(),
    ]) {
      const server = await scripted({ 'tools/call': refuse });
      const error = await rejection((await clients.connect(server.url)).callTool('work'));
      expect(error).toBeInstanceOf(ConnectionLostError);
      expect(error).toMatchObject({ effect: 'unknown' });
      expect(server.requests('tools/call')).toHaveLength(1);
    }
  });

  it('is sent a call with an idempotency key again, with the same key', async () => {
    let refusals = 2;
    const server = await scripted({
      'tools/call': ({ cut, result }) => (refusals-- > 0 ? cut() : result(done())),
    });
    expect(textOf(await (await clients.connect(server.url)).callTool('work', {}, { idempotencyKey: 'k' }))).toBe('done');
    expect(server.requests('tools/call').map((call) => meta(call)['longhaul/idempotencyKey'])).toEqual(['k', 'k', 'k']);
    expect(new Set(server.requests('tools/call').map(({ id }) => id)).size).toBe(3);
  });

  it('is sent a call again that certainly never reached it', async () => {
    const first = await scripted({ 'tools/call': ({ result }) => result(done()) });
    const client = await clients.connect(first.url, { retry: { attempts: 100, initialDelayMs: 10, maxDelayMs: 20 } });
    await first.close();
    const called = client.callTool('work');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await scripted({ 'tools/call': ({ result }) => result(done('reached')) }, first.port);
    expect(textOf(await called)).toBe('reached');
    expect(second.requests('tools/call')).toHaveLength(1);
  });
});

describe('a server that breaks the protocol', () => {
  it.each<[string, Table, new (...args: never[]) => Error]>([
    ['a result without a type', { 'tools/call': ({ result }) => result({ content: [] }) }, ProtocolViolationError],
    ['a result without content', { 'tools/call': ({ result }) => result({ resultType: 'complete' }) }, ProtocolViolationError],
    [
      'a task without times',
      { 'tools/call': ({ result }) => result({ resultType: 'task', taskId: 't', status: 'working' }) },
      ProtocolViolationError,
    ],
    [
      'a task whose result is none',
      {
        'tools/call': working,
        'tasks/get': ({ result }) => result({ resultType: 'complete', ...task2026('completed', { result: { text: 'hi' } }) }),
      },
      ProtocolViolationError,
    ],
    [
      'another task than the one that was asked for',
      {
        'tools/call': working,
        'tasks/get': ({ result }) => result({ resultType: 'complete', ...task2026('working', { taskId: 'other' }) }),
      },
      ProtocolViolationError,
    ],
    ['no JSON', { 'tools/call': ({ status }) => status(418) }, ClientError],
    ['an error', { 'tools/call': ({ error }) => error(-32_603, 'oops') }, RpcError],
  ])('by %s fails the call', async (_name, table, expected) => {
    const server = await scripted(table);
    expect(await rejection((await clients.connect(server.url)).callTool('work'))).toBeInstanceOf(expected);
  });

  it('but leaves out the type of a task’s result is understood', async () => {
    const result = { content: [{ type: 'text', text: 'untyped' }] };
    const server = await scripted({
      'tools/call': working,
      'tasks/get': (exchange) => exchange.result({ resultType: 'complete', ...task2026('completed', { result }) }),
    });
    expect(textOf(await (await clients.connect(server.url)).callTool('work'))).toBe('untyped');
  });
});

describe('a task', () => {
  it('that had ended when it was created is read once for its result', async () => {
    const server = await scripted({
      'tools/call': ({ result }) => result({ resultType: 'task', ...task2026('completed') }),
      'tasks/get': completed,
    });
    expect(textOf(await (await clients.connect(server.url)).callTool('work'))).toBe('done');
    expect(server.requests('tasks/get')).toHaveLength(1);
    expect(server.requests('subscriptions/listen')).toHaveLength(0);
  });

  it('that ends while its question is open ends the call, and the question', async () => {
    let isOver = false;
    let prompt: AbortSignal | undefined;
    const inputRequests = { q: { method: 'roots/list' } };
    const server = await scripted({
      'tools/call': working,
      'tasks/get': ({ result }) =>
        result({
          resultType: 'complete',
          ...(isOver ? task2026('completed', { result: done() }) : task2026('input_required', { inputRequests, pollIntervalMs: 20 })),
        }),
    });
    const onInput = {
      roots: ({ signal }: { signal: AbortSignal }) => {
        prompt = signal;
        isOver = true;
        return new Promise<never>(() => undefined);
      },
    };
    const client = await clients.connect(server.url, { onInput });
    expect(textOf(await client.callTool('work'))).toBe('done');
    expect(prompt?.aborted).toBe(true);
    expect(server.requests('tasks/update')).toHaveLength(0);
  });

  it('is listened to until it has ended, and no longer', async () => {
    let isClosed = false;
    const server = await scripted({
      'tools/call': working,
      'tasks/get': completed,
      'subscriptions/listen': (exchange) => {
        exchange.stream(acknowledgement(exchange)).onClose(() => {
          isClosed = true;
        });
      },
    });
    await (await clients.connect(server.url)).callTool('work');
    await waitUntil(() => isClosed, { description: 'the stream is closed' });
  });
});
