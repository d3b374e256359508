/** Tests stateless mode: each request is independent. */
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { shutDown } from '@longhaul/gateway';
import type { TaskService } from '@longhaul/tasks';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { messagesOf } from '../../support/event-stream.js';
import { waitUntil } from '../../support/wait-until.js';
import { allFeatures } from '../../support/gateway/all-features.js';
import { gates } from '../../support/gateway/asking-features.js';
import { connectClient } from '../../support/gateway/client.js';
import { serviceForTests, startService, type TestService } from '../../support/gateway/gateway.js';
import { HEADERS, initializeRequest, post, type RpcResponse } from '../../support/gateway/rpc.js';
import { openStream, type OpenStream } from '../../support/gateway/stream.js';
import { inlineGates, inlineSignals } from '../../support/gateway/tools.js';

let url: string;

const service = serviceForTests({ features: allFeatures, settings: { isStateless: true, patienceMs: 20, keepAliveMs: 20 } });
beforeAll(async () => {
  url = await service.listen();
});

/** A request that has nothing to do with any other one. */
async function call(method: string, params: object = {}, id: string | number = 1): Promise<RpcResponse> {
  const response = await post(service.app, { jsonrpc: '2.0', id, method, params });
  expect(response.headers).not.toHaveProperty('mcp-session-id');
  if (String(response.headers['content-type']).startsWith('application/json')) return response.json<RpcResponse>();
  return messagesOf(response.body).at(-1) as unknown as RpcResponse;
}

function open(id: string | number, method: string, params: object, at = url): Promise<OpenStream> {
  const { host: _host, ...headers } = HEADERS;
  return openStream(at, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) });
}

const text = (result: RpcResponse['result']): unknown => ((result?.['content'] ?? []) as { text: string }[])[0]?.text;
const callTool = async (name: string, args: object = {}) => (await call('tools/call', { name, arguments: args })).result;

describe('initialize', () => {
  it.each([{}, { 'mcp-session-id': 'of-another-server' }])(
    'opens no session, no matter which one the headers name: %j',
    async (headers) => {
      const response = await post(service.app, initializeRequest(), headers);

      expect(response.statusCode).toBe(200);
      expect(response.headers).not.toHaveProperty('mcp-session-id');
      expect(response.json<RpcResponse>().result).toMatchObject({ protocolVersion: LATEST_PROTOCOL_VERSION });
    },
  );

  it('declares what there is without sessions', async () => {
    const { result } = (await post(service.app, initializeRequest())).json<RpcResponse>();

    expect(result?.['capabilities']).toEqual({
      tools: {},
      prompts: {},
      resources: {},
      completions: {},
      tasks: { cancel: {}, requests: { tools: { call: {} } } },
    });
  });
});

describe('a request without a session', () => {
  it('is answered: tools, prompts, resources and completions', async () => {
    expect(await callTool('echo', { message: 'hi' })).toEqual({ content: [{ type: 'text', text: 'Echo: hi' }] });
    expect((await call('prompts/get', { name: 'greeting', arguments: { name: 'Ada' } })).result).toMatchObject({
      messages: [{ content: { text: 'Greet Ada in english.' } }],
    });
    expect((await call('resources/read', { uri: 'note://text' })).result).toMatchObject({ contents: [{ text: '# A note' }] });
    expect((await call('resources/list')).result?.['resources']).toHaveLength(4);
    expect((await call('resources/templates/list')).result?.['resourceTemplates']).not.toHaveLength(0);
    const ref = { type: 'ref/prompt', name: 'greeting' };
    expect((await call('completion/complete', { ref, argument: { name: 'language', value: 'da' } })).result).toMatchObject({
      completion: { values: ['danish'] },
    });
    expect((await call('ping')).result).toEqual({});
  });

  it('is answered also when it names a session of another server', async () => {
    const response = await post(service.app, { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-session-id': 'of-another-server' });

    expect(response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it.each(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'tasks/list', 'shutdown'])(
    'cannot be %s, which is about a session',
    async (method) => {
      expect((await call(method, { level: 'debug', uri: 'note://text' })).error?.code).toBe(-32601);
    },
  );

  it('that asks for a shutdown gets an error that there is nothing to shut down', async () => {
    expect((await call('shutdown')).error).toEqual({
      code: -32601,
      message: 'Method not found: shutdown ends a session, and this server keeps none.',
    });
  });

  it('can be part of a batch in the revision that has them', async () => {
    const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    const response = await post(service.app, batch, { 'mcp-protocol-version': '2025-03-26' });

    expect(response.json()).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} })));
    expect((await post(service.app, batch, { 'mcp-protocol-version': '2025-11-25' })).statusCode).toBe(400);
  });

  it('is refused for a version that is not supported', async () => {
    const response = await post(service.app, { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-protocol-version': '2024-01-01' });

    expect(response.statusCode).toBe(400);
  });

  it.each([
    ['a notification', { method: 'notifications/initialized' }],
    ['an exit', { method: 'exit' }],
    ['a response', { id: 7, result: {} }],
  ])('is taken and ignored when it is %s', async (_title, message) => {
    expect((await post(service.app, { jsonrpc: '2.0', ...message })).statusCode).toBe(202);
  });

  it.each(['GET', 'DELETE', 'PUT'])('is refused by %s: there is nothing to stream, and nothing to end', async (method) => {
    const response = await fetch(url, { method, headers: { accept: 'text/event-stream' } });

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await response.json()).toMatchObject({ error: { code: -32000, message: 'Method not allowed.' } });
  });
});

describe('what needs a session or a capability of the client', () => {
  it('is left out, with one warning each', () => {
    const warnings = service.logs.filter(({ msg }) => String(msg).startsWith('left out in stateless mode'));

    expect(warnings.map(({ kind, name }) => `${String(kind)} ${String(name)}`)).toEqual([
      'prompt needy',
      'resource needy',
      'resource-template needy',
      'tool job',
      'tool late-job',
      'tool value',
      'tool durable-value',
      'session-job ticking',
      'session-job throwing',
      'session-job held',
    ]);
    expect(warnings.map(({ msg }) => msg)).toContain("left out in stateless mode, because it needs the client's roots");
    expect(warnings.map(({ msg }) => msg)).toContain('left out in stateless mode, because it needs a session');
    expect(warnings.every(({ level }) => level === 40)).toBe(true);
  });

  it('is neither listed nor called', async () => {
    const names = (((await call('tools/list')).result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);

    expect(names).toContain('echo');
    expect(names.filter((name) => ['job', 'late-job', 'value', 'durable-value'].includes(name))).toEqual([]);
    expect((await call('tools/call', { name: 'job', arguments: {} })).error).toMatchObject({ code: -32602, message: 'Unknown tool: job' });
    expect((await call('prompts/get', { name: 'needy' })).error?.code).toBe(-32602);
    expect((await call('resources/read', { uri: 'note://needy' })).error?.code).toBe(-32002);
  });

  it.each([
    ['form', 'A feature that asks names "elicitation.form" in its "needs"'],
    ['url', 'A feature that asks names "elicitation.url" in its "needs"'],
    ['sampling', 'A feature that asks names "sampling" in its "needs"'],
    ['roots', 'A feature that asks names "roots" in its "needs"'],
    ['ping', 'A feature that pings its client sets "needsSession"'],
  ])('fails at once for a feature that tries all the same, with what it should have declared: %s', async (question, hint) => {
    expect(await callTool('asking', { question })).toEqual({
      isError: true,
      content: [{ type: 'text', text: `In stateless mode no client can be asked. ${hint}, and is then not offered here.` }],
    });
  });

  it('is nothing to a feature that can do without: it sees no subscriptions', async () => {
    expect(text(await callTool('subscriptions'))).toBe('');
  });
});

describe('the stream of a request', () => {
  it('carries progress and log messages of info and above, and cannot be resumed', async () => {
    for (const what of ['progress', 'levels']) {
      const stream = await open(1, 'tools/call', { name: 'report', arguments: { what }, _meta: { progressToken: 'p' } });
      await stream.ended();
      const notified = stream
        .messages()
        .filter(({ method }) => method === (what === 'progress' ? 'notifications/progress' : 'notifications/message'));

      expect(notified.length).toBeGreaterThan(2);
      expect(stream.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'reported' }] } });
      expect(stream.text()).not.toMatch(/^id: /m);
    }
  });

  it('is kept alive while the answer is made', async () => {
    const stream = await open(1, 'tools/call', { name: 'release-inline', arguments: { name: 'alive' } });
    await waitUntil(() => stream.text().includes(': keep-alive'), { description: 'a sign of life has come' });
    inlineGates.get('alive')?.('released');
    await stream.ended();

    expect(stream.messages()).toMatchObject([{ id: 1, result: { content: [{ text: 'released' }] } }]);
  });

  it('cannot be closed by the feature: the client could not come back', async () => {
    const stream = open(1, 'tools/call', { name: 'close-stream', arguments: { name: 'stateless' } });
    await waitUntil(() => gates.has('stateless'), { description: 'the feature runs' });
    gates.get('stateless')?.();
    await (await stream).ended();

    expect((await stream).text()).toContain('went on');
  });

  it('that its client leaves aborts the work, and not that of another client with the same request id', async () => {
    const known = inlineSignals.length;
    const [mine, other] = [
      await open('same', 'tools/call', { name: 'wait-inline' }),
      await open('same', 'tools/call', { name: 'wait-inline' }),
    ];
    const signals = await waitUntil(() => inlineSignals.length === known + 2 && inlineSignals.slice(known), { description: 'both run' });
    mine.hangUp();
    await waitUntil(() => signals[0]?.aborted, { description: 'the first one is aborted' });

    expect(signals[1]?.aborted).toBe(false);
    other.hangUp();
    await waitUntil(() => signals[1]?.aborted, { description: 'the second one is aborted' });
  });

  it('gets its own answer, though others have the same request id', async () => {
    const streams = await Promise.all(
      ['one', 'two', 'three'].map((name) => open('same', 'tools/call', { name: 'release-inline', arguments: { name } })),
    );
    for (const name of ['three', 'one', 'two']) inlineGates.get(name)?.(`answer ${name}`);
    await Promise.all(streams.map((stream) => stream.ended()));

    expect(streams.map((stream) => text(stream.messages().at(-1)?.['result'] as RpcResponse['result']))).toEqual([
      'answer one',
      'answer two',
      'answer three',
    ]);
  });

  it('goes on when somebody cancels a request with its id: nobody can say whose it is', async () => {
    const stream = await open('mine', 'tools/call', { name: 'release-inline', arguments: { name: 'not cancelled' } });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } };
    expect((await post(service.app, cancel)).statusCode).toBe(202);
    inlineGates.get('not cancelled')?.('went on');
    await stream.ended();

    expect(stream.messages()).toMatchObject([{ id: 'mine', result: { content: [{ text: 'went on' }] } }]);
  });
});

describe('the stock client', () => {
  it('connects, lists and calls', async () => {
    const { client, transport } = await connectClient(url);
    expect(transport.sessionId).toBeUndefined();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
    expect((await client.callTool({ name: 'echo', arguments: { message: 'hi' } })).content).toEqual([{ type: 'text', text: 'Echo: hi' }]);
    await client.close();
  });
});

describe('stopping', () => {
  let stopping: TestService | undefined;
  afterEach(async () => {
    await stopping?.close();
    stopping = undefined;
  });

  it('lets calls inside the process finish, and hands over calls that wait for a task', async () => {
    stopping = await startService({ features: allFeatures, settings: { isStateless: true, patienceMs: 20 } });
    const at = await stopping.listen();
    const inline = await open(1, 'tools/call', { name: 'release-inline', arguments: { name: 'drained' } }, at);
    const waiting = await open(2, 'tools/call', { name: 'sleep' }, at);
    const stopped = shutDown({ app: stopping.app, drainMs: 10_000, logger: pino({ level: 'silent' }) });
    await waiting.ended();
    inlineGates.get('drained')?.('finished');
    await Promise.all([inline.ended(), stopped]);

    expect(waiting.messages()).toMatchObject([
      { id: 2, result: { content: [{ text: expect.stringContaining('task_result') as string }] } },
    ]);
    expect(inline.messages()).toMatchObject([{ id: 1, result: { content: [{ text: 'finished' }] } }]);
  });

  it('answers a request that waits without a stream with an HTTP status', async () => {
    let isFollowed = false;
    const tasks = (service: TaskService): TaskService => ({
      ...service,
      follow(from, signal) {
        isFollowed = true;
        return service.follow(from, signal);
      },
    });
    stopping = await startService({ features: allFeatures, settings: { isStateless: true, patienceMs: 60_000 }, tasks });
    const { app } = stopping;
    const at = await stopping.listen();
    const created = await open(1, 'tools/call', { name: 'sleep', task: {} }, at);
    await created.ended();
    const { result } = JSON.parse(created.text()) as { result: { task: { taskId: string } } };
    const waiting = open(2, 'tasks/result', { taskId: result.task.taskId }, at);
    await waitUntil(() => isFollowed, { description: 'the task is waited for' });
    void app.close();
    const response = await waiting;
    await response.ended();

    expect(response.response.status).toBe(503);
    expect(response.response.headers.get('retry-after')).toBe('1');
  });
});
