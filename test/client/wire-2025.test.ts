/** Tests the messages on the wire in generation 2025-11-25, at servers with unusual behaviour on demand. */
import { ClientError, ConnectionLostError, type TaskReference } from '@longhaul/client';
import { afterEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { Clients, named, rejection, textOf } from './support/clients.js';
import {
  done,
  type Exchange,
  firstOf,
  greeting2025,
  methods,
  type ScriptedServer,
  startScriptedServer,
  type Stream,
  task2025,
} from './support/scripted-server.js';

type Table = Parameters<typeof methods>[0];

const clients = new Clients();
const servers: ScriptedServer[] = [];

afterEach(async () => {
  await clients.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function scripted(table: Table, acceptsStandaloneStreams = false): Promise<ScriptedServer> {
  const server = await startScriptedServer(firstOf(methods(table), greeting2025), { acceptsStandaloneStreams });
  servers.push(server);
  return server;
}

const created = ({ result }: Exchange): void => result({ task: task2025('working', { pollInterval: 20 }) });
const question = {
  id: 'q1',
  method: 'elicitation/create',
  params: {
    message: 'Who?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'task-1' } },
  },
};

describe('the connection', () => {
  it('falls back to this generation by the answer of the server', async () => {
    const server = await scripted({
      'tools/call': created,
      'tasks/get': ({ result }) => result(task2025('completed')),
      'tasks/result': ({ result }) => result(done()),
    });
    const client = await clients.connect(server.url);
    expect(client.generation).toBe('2025-11-25');
    expect(textOf(await client.callTool('work'))).toBe('done');
    expect(server.requests('server/discover')).toHaveLength(1);
  });

  it('is refused when only the other generation is wanted', async () => {
    const server = await scripted({});
    await expect(clients.connect(server.url, { generation: '2026-07-28' })).rejects.toThrow('2026-07-28');
    expect(server.requests('initialize')).toHaveLength(0);
  });

  it('does not ask for the greeting of the other generation when this one is wanted', async () => {
    const server = await scripted({});
    await clients.connect(server.url, { generation: '2025-11-25' });
    expect(server.requests('server/discover')).toHaveLength(0);
  });
});

describe('whether a call asks for a task', () => {
  it.each([
    ['required', true],
    ['optional', true],
    ['forbidden', false],
    [undefined, false],
  ])('is for a tool with taskSupport %j: %j', async (taskSupport, isTask) => {
    const tool = { name: 'work', inputSchema: { type: 'object' }, ...(taskSupport !== undefined && { execution: { taskSupport } }) };
    const server = await scripted({
      'tools/list': ({ result }) => result({ tools: [tool] }),
      'tools/call': ({ result }) => result(done()),
    });
    await (await clients.connect(server.url)).callTool('work');
    expect('task' in server.requests('tools/call')[0]!.params).toBe(isTask);
  });

  it('is found on any page of the list, which is read once until it changes', async () => {
    const pages: Record<string, object> = {
      undefined: { tools: [], nextCursor: 'two' },
      two: { tools: [{ name: 'work', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }] },
    };
    const server = await scripted(
      {
        'tools/list': ({ params, result }) => result(pages[String(params['cursor'])] as Record<string, unknown>),
        'tools/call': ({ result }) => result(done()),
      },
      true,
    );
    const client = await clients.connect(server.url);
    await client.callTool('work');
    await client.callTool('work');
    expect(server.requests('tools/list')).toHaveLength(2);
    expect(server.requests('tools/call').map(({ params }) => params['task'])).toEqual([{}, {}]);
    await waitUntil(() => server.standalone.length === 1, { description: 'the standalone stream is open' });
    server.standalone[0]?.send({ method: 'notifications/tools/list_changed' });
    await waitUntil(
      async () => {
        await client.callTool('work');
        return server.requests('tools/list').length === 4;
      },
      { description: 'the list is read again' },
    );
  });

  it('cannot be found out where the list never ends', async () => {
    const server = await scripted({
      'tools/list': ({ params, result }) => result({ tools: [], nextCursor: `${String(params['cursor'])}+` }),
      'tools/call': ({ result }) => result(done()),
    });
    await expect((await clients.connect(server.url)).callTool('work')).rejects.toThrow('tools/list has more than 64 pages.');
    expect(server.requests('tools/list')).toHaveLength(64);
  });

  it('is asked again when the server refuses the way in which the tool is called', async () => {
    let taskSupport = 'forbidden';
    const server = await scripted({
      'tools/list': ({ result }) => result({ tools: [{ name: 'work', inputSchema: { type: 'object' }, execution: { taskSupport } }] }),
      'tools/call': ({ params, result, error }) =>
        taskSupport !== 'gone' && 'task' in params === (taskSupport === 'required')
          ? result(done(taskSupport))
          : error(-32_601, `work is ${taskSupport}`),
    });
    const client = await clients.connect(server.url);
    await client.callTool('work');
    for (taskSupport of ['required', 'forbidden']) expect(textOf(await client.callTool('work'))).toBe(taskSupport);
    taskSupport = 'gone';
    expect(await rejection(client.callTool('work'))).toMatchObject({ code: -32_601 });
  });

  it('is no question for a server without tasks', async () => {
    const server = await scripted({
      initialize: ({ result }) =>
        result({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } }),
      'tools/call': ({ result }) => result(done()),
    });
    expect(textOf(await (await clients.connect(server.url)).callTool('work'))).toBe('done');
    expect(server.requests('tools/list')).toHaveLength(0);
    expect('task' in server.requests('tools/call')[0]!.params).toBe(false);
  });
});

describe('a task that asks', () => {
  it('is answered on the stream of tasks/result, where servers without a standalone stream ask', async () => {
    let waiting: ReturnType<Exchange['stream']> | undefined;
    const server = await scripted({
      'tools/call': created,
      'tasks/get': ({ result }) => result(task2025('input_required', { pollInterval: 20 })),
      'tasks/result': (exchange) => {
        waiting = exchange.stream(question);
      },
    });
    const client = await clients.connect(server.url, { onInput: named('Ada') });
    const statuses: string[] = [];
    const called = client.callTool('work', {}, { onStatus: ({ status }) => void statuses.push(status) });
    await waitUntil(() => server.sent.some(({ id }) => id === 'q1'), { description: 'the answer has come' });
    expect(server.sent.find(({ id }) => id === 'q1')?.['result']).toEqual({ action: 'accept', content: { name: 'Ada' } });
    waiting?.result(done('waited for'));
    expect(textOf(await called)).toBe('waited for');
    expect(statuses.at(-1)).toBe('completed');
    expect(server.requests('tasks/result')).toHaveLength(1);
  });

  it('is asked once, though the question comes again on a new stream', async () => {
    let results = 0;
    const server = await scripted({
      'tools/call': created,
      'tasks/get': ({ result }) =>
        result(task2025(server.sent.some(({ id }) => id === 'q1') ? 'completed' : 'input_required', { pollInterval: 20 })),
      'tasks/result': (exchange) => {
        results += 1;
        if (results > 3) exchange.result(done());
        else setTimeout(exchange.stream(question).cut, 30);
      },
    });
    let asked = 0;
    const onInput = {
      async elicitation() {
        asked += 1;
        await new Promise((resolve) => setTimeout(resolve, 150));
        return { action: 'accept' as const, content: { name: 'Ada' } };
      },
    };
    const client = await clients.connect(server.url, { onInput });
    expect(textOf(await client.callTool('work'))).toBe('done');
    expect(asked).toBe(1);
  });

  it('is left to another process if it is not a task of this one', async () => {
    const server = await scripted({ 'tools/call': ({ result }) => void setTimeout(() => result(done()), 100) }, true);
    const client = await clients.connect(server.url, { onInput: named('Ada') });
    await waitUntil(() => server.standalone.length === 1, { description: 'the standalone stream is open' });
    server.standalone[0]?.send(question);
    await client.callTool('other');
    expect(server.sent.filter(({ id }) => id === 'q1')).toEqual([]);
  });
});

describe('calls at the same time that ask', () => {
  it('are answered each by its own onInput, by the stream on which they ask, also where its events have no ids', async () => {
    const streams = new Map<unknown, Stream>();
    const server = await scripted({
      'tools/call': (exchange) => {
        streams.set(`question of ${String(exchange.id)}`, exchange.stream());
        if (streams.size < 3) return;
        for (const [id, stream] of [...streams].toReversed()) stream.send({ id, method: 'roots/list' });
      },
    });
    const client = await clients.connect(server.url, { capabilities: { roots: {} } });
    const calls = ['a', 'b', 'c'].map((name) =>
      client.callTool('ask', { name }, { onInput: { roots: () => ({ roots: [{ uri: `file:///${name}` }] }) } }),
    );
    await waitUntil(() => server.sent.filter(({ result }) => result !== undefined).length === 3, { description: 'all are answered' });
    for (const [id, stream] of streams)
      stream.result(done(JSON.stringify(server.sent.find((message) => message['id'] === id)?.['result'])));
    expect((await Promise.all(calls)).map(textOf)).toEqual(['a', 'b', 'c'].map((name) => `{"roots":[{"uri":"file:///${name}"}]}`));
  });
});

describe('an error without an id', () => {
  it.each([200, 400])('in the answer to a call, with HTTP %i, is that of the call', async (status) => {
    const server = await scripted({
      'tools/call': (exchange) => exchange.body({ id: null, error: { code: -32_700, message: 'Parse error of theirs' } }, status),
    });
    const client = await clients.connect(server.url);
    expect(String(await rejection(client.callTool('work')))).toContain('Parse error of theirs');
  });
});

describe('a server that has lost the session', () => {
  it.each<[string, (exchange: Exchange) => void]>([
    ['HTTP 404', ({ status }) => status(404)],
    ['HTTP 401', ({ status }) => status(401)],
    ['an error with HTTP 200', ({ error }) => error(-32_001, 'Session not found')],
    [
      'HTTP 400 and a message about the session',
      ({ error }) => error(-32_000, 'Bad Request: No valid session ID provided', undefined, 400),
    ],
  ])('and says so by %s is greeted again, and gets the call once more', async (_name, refuse) => {
    let isLost = true;
    const server = await scripted({
      'tools/call': (exchange) => {
        if (!isLost) return exchange.result(done());
        isLost = false;
        return refuse(exchange);
      },
    });
    const client = await clients.connect(server.url, { generation: '2025-11-25' });
    const sdk = client.client;
    expect(textOf(await client.callTool('other'))).toBe('done');
    const [first, second] = server.requests('tools/call').map(({ headers }) => headers['mcp-session-id']);
    expect(first).not.toBe(second);
    expect(server.requests('initialize')).toHaveLength(2);
    expect(client.client).toBe(sdk);
    expect(await client.client.ping()).toEqual({});
  });

  it('is greeted once, though many calls notice it', async () => {
    const lost = new Set<unknown>();
    const server = await scripted({
      'tools/call': ({ headers, status, result }) => {
        if (lost.size === 0) lost.add(headers['mcp-session-id']);
        return lost.has(headers['mcp-session-id']) ? status(404) : result(done());
      },
    });
    const client = await clients.connect(server.url, { generation: '2025-11-25' });
    await Promise.all(['a', 'b', 'c'].map((name) => client.callTool(name)));
    expect(server.requests('initialize')).toHaveLength(2);
  });

  it('fails the call when it does not take a new one', async () => {
    let greetings = 0;
    const server = await scripted({
      initialize: (exchange) => (++greetings > 1 ? exchange.status(500) : greeting2025(exchange)),
      'tools/call': ({ status }) => status(404),
    });
    const client = await clients.connect(server.url, { generation: '2025-11-25' });
    expect(await rejection(client.callTool('other'))).toBeInstanceOf(ClientError);
  });

  it('and with it the session of a resumed task is asked for the task in the new one', async () => {
    const server = await scripted({
      ping: ({ headers, status, result }) => (headers['mcp-session-id'] === 'gone' ? status(404) : result({})),
      'tasks/get': ({ result }) => result(task2025('completed')),
      'tasks/result': ({ result }) => result(done('still there')),
    });
    const client = await clients.connect(server.url);
    const reference: TaskReference = {
      taskId: 'task-1',
      tool: 'work',
      generation: '2025-11-25',
      sessionId: 'gone',
      protocolVersion: '2025-11-25',
    };
    expect(textOf(await client.resumeTask(reference))).toBe('still there');
  });
});

describe('a call that may have had an effect', () => {
  it('is not sent again', async () => {
    const server = await scripted({ 'tools/call': ({ cut }) => cut() });
    const client = await clients.connect(server.url, { generation: '2025-11-25' });
    expect(await rejection(client.callTool('work'))).toBeInstanceOf(ConnectionLostError);
    expect(server.requests('tools/call')).toHaveLength(1);
  });
});
