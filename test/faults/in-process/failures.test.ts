import { openMemoryStore } from '@longhaul/store-sqlite';
import { once } from 'node:events';
import { connect } from 'node:net';
import { TaskError, type TaskService } from '@longhaul/tasks';
import { shutDown } from '@longhaul/gateway';
import type { SessionStore } from '@longhaul/sessions/gateway';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { startService, type TestService, type TestServiceOptions } from '../../support/gateway/gateway.js';
import { connections, type HalfSent, halfSent } from '../../support/gateway/half-sent.js';
import { HEADERS, post, rpcSession, type RpcResponse, type RpcSession } from '../../support/gateway/rpc.js';
import { openStream } from '../../support/gateway/stream.js';
import { inlineGates } from '../../support/gateway/tools.js';

let service: TestService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function start(options: TestServiceOptions): Promise<TestService> {
  service = await startService(options);
  return service;
}

const away = (): Promise<never> => Promise.reject(new TaskError('STORE_UNAVAILABLE'));
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

function open(url: string, session: RpcSession, body: Record<string, unknown>) {
  const { host: _host, ...headers } = HEADERS;
  return openStream(url, {
    method: 'POST',
    headers: { ...headers, ...session.headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...body }),
  });
}

describe('while the store does not answer', () => {
  it.each([
    ['a request', { method: 'tasks/get', params: { taskId: '00000000-0000-4000-8000-000000000000' } }],
    ['a call that creates a task', { method: 'tools/call', params: { name: 'sleep', task: {} } }],
    ['a call that waits for a task', { method: 'tools/call', params: { name: 'sleep' } }],
  ])('%s gets an error that says to try again', async (_title, message) => {
    const { app } = await start({ tasks: (tasks) => ({ ...tasks, get: away, create: away }) });
    const session = await rpcSession(app);
    const response = await post(app, { jsonrpc: '2.0', id: 5, ...message }, session.headers);

    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('1');
    expect(response.json<RpcResponse>()).toMatchObject({ id: 5, error: { code: -32603, data: { retryable: true, retryAfterMs: 1_000 } } });
  });

  it('a session is neither opened nor taken for missing', async () => {
    const sessions: SessionStore = {
      ...openMemoryStore({ clock: Date.now, sessionTtlMs: 1000 }).gateway.sessions,
      create: away,
      load: away,
      end: away,
    };
    const { app } = await start({ sessions });
    const headers = { 'mcp-session-id': '00000000-0000-4000-8000-000000000000' };
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const responses = [
      await post(app, { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
      await post(app, ping, headers),
      await app.inject({ method: 'DELETE', url: '/mcp', headers: { ...HEADERS, ...headers } }),
      await app.inject({ method: 'GET', url: '/mcp', headers: { ...HEADERS, ...headers } }),
    ];

    expect(responses.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503, 503]);
    expect(responses.map((response) => response.json<RpcResponse>().id)).toEqual([1, 1, null, null]);
    expect(responses.map((response) => response.json<RpcResponse>().error)).toEqual(
      responses.map(() => ({
        code: -32603,
        message: 'The task store does not answer. Try again.',
        data: { retryable: true, retryAfterMs: 1_000 },
      })),
    );
  });

  it('the process is up but not ready', async () => {
    const { app } = await start({ ping: away });

    expect((await app.inject('/healthz')).statusCode).toBe(200);
    for (const path of ['/readyz', '/readyz?exclude=full']) expect((await app.inject(path)).statusCode).toBe(503);
  });
});

describe('while the store is full', () => {
  const full = (): Promise<never> => Promise.reject(new TaskError('STORE_FULL'));

  it('the process is not ready for everything, but for requests', async () => {
    const { app } = await start({ ping: full });

    expect(await app.inject('/readyz')).toMatchObject({ statusCode: 503, body: '{"status":"store full"}' });
    expect(await app.inject('/readyz?exclude=full')).toMatchObject({ statusCode: 200, body: '{"status":"store full"}' });
  });
});

describe('a fault of the server', () => {
  const broken = (): Promise<never> => Promise.reject(new TypeError('the secret detail'));

  it.each<[string, (tasks: TaskService) => TaskService, Record<string, unknown>]>([
    ['of a read', (tasks) => ({ ...tasks, list: broken }), { method: 'tasks/list' }],
    ['of a call', (tasks) => ({ ...tasks, create: broken }), { method: 'tools/call', params: { name: 'sleep' } }],
  ])('%s is an internal error whose details are logged and not sent', async (_title, tasks, message) => {
    const { app, logs } = await start({ tasks });
    const session = await rpcSession(app);
    const response = await post(app, { jsonrpc: '2.0', id: 6, ...message }, session.headers);

    expect(response.json()).toEqual({ jsonrpc: '2.0', id: 6, error: { code: -32603, message: 'Internal error' } });
    expect(JSON.stringify(logs)).toContain('the secret detail');
  });

  it('while an answer is recorded is answered with an HTTP status', async () => {
    const running = await start({ settings: { patienceMs: 5 }, tasks: (tasks) => ({ ...tasks, provideInput: broken }) });
    const session = await rpcSession(running.app);
    const stream = await open(await running.listen(), session, { id: 1, method: 'tools/call', params: { name: 'ask' } });
    const question = await stream.message('the call asks', ({ method }) => method === 'elicitation/create');
    const response = await post(running.app, { jsonrpc: '2.0', id: question['id'], result: { action: 'cancel' } }, session.headers);

    expect(response.statusCode).toBe(500);
    expect(response.json<RpcResponse>().error).toEqual({ code: -32603, message: 'Internal error' });
  });
});

describe('nothing of the user is logged', () => {
  it('neither arguments nor results', async () => {
    const { app, logs } = await start({});
    const session = await rpcSession(app);
    await session.call('tools/call', { name: 'echo', arguments: { message: 'confidential' } });
    await session.call('tools/call', { name: 'echo', arguments: { message: 1, confidential: true } });

    expect(JSON.stringify(logs)).not.toContain('confidential');
  });
});

describe('a client that hangs up while it sends', () => {
  it('is no fault of the server', async () => {
    const { app, listen, logs } = await start({});
    const { port } = new URL(await listen());
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const headers = Object.entries({ ...HEADERS, host: `127.0.0.1:${port}`, 'content-length': '100' });
    socket.write(`POST /mcp HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{"jsonrpc":`);
    await once(app.server, 'request');
    socket.destroy();
    await waitUntil(() => connections({ app }).then((count) => count === 0), { description: 'the connection is gone' });

    expect(logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

describe('stopping', () => {
  const logger = pino({ level: 'silent' });

  it('sends those who wait for a task to other gateways, ends the streams and refuses new connections', async () => {
    const running = await start({ settings: { patienceMs: 5 } });
    const url = await running.listen();
    const session = await rpcSession(running.app);
    const waiting = await open(url, session, { id: 1, method: 'tools/call', params: { name: 'sleep' } });
    const standing = await openStream(url, { headers: { accept: 'text/event-stream', ...session.headers } });
    await shutDown({ app: running.app, drainMs: 10_000, logger });
    await Promise.all([waiting.ended(), standing.ended()]);

    for (const stream of [waiting, standing]) {
      expect(stream.messages()).toEqual([]);
      expect(stream.text()).toMatch(/^retry: 1000\n\nid: [\w-]{22}_0\ndata: \n\nretry: 100\n\n$/);
    }
    await expect(fetch(url)).rejects.toThrow();
  });

  it('sends a request that waits without a stream elsewhere too', async () => {
    const running = await start({ settings: { patienceMs: 60_000 } });
    const url = await running.listen();
    const session = await rpcSession(running.app);
    const created = running.created.length;
    const waiting = open(url, session, { id: 1, method: 'tools/call', params: { name: 'sleep' } });
    await expect.poll(() => running.created.length).toBe(created + 1);
    await shutDown({ app: running.app, drainMs: 10_000, logger });
    const stream = await waiting;
    await stream.ended();

    expect(stream.text()).toMatch(/^retry: 1000\n\nid: [\w-]{22}_0\ndata: \n\nretry: 100\n\n$/);
  });

  it('answers a client that cannot resume with an HTTP status and the task to ask for', async () => {
    let isFollowed = false;
    const tasks = (service: TaskService): TaskService => ({
      ...service,
      follow(from, signal) {
        isFollowed = true;
        return service.follow(from, signal);
      },
    });
    const running = await start({ settings: { patienceMs: 60_000 }, tasks });
    const url = await running.listen();
    const session = await rpcSession(running.app, '2025-06-18');
    const { result } = await session.call('tools/call', { name: 'sleep', task: {} });
    const { taskId } = (result?.['task'] ?? {}) as { taskId?: string };
    const waiting = open(url, session, { id: 1, method: 'tasks/result', params: { taskId } });
    await expect.poll(() => isFollowed).toBe(true);
    await shutDown({ app: running.app, drainMs: 10_000, logger });
    const { response } = await waiting;
    await (await waiting).ended();

    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(JSON.parse((await waiting).text())).toMatchObject({
      error: { code: -32000, data: { retryable: true, taskId } },
    });
  });

  it('lets calls inside the process finish, and meanwhile answers what only reads and sends away what does more', async () => {
    const running = await start({});
    const url = await running.listen();
    const session = await rpcSession(running.app);
    const held = inlineGates.size;
    const inline = open(url, session, { id: 1, method: 'tools/call', params: { name: 'release-inline', arguments: { name: 'drain' } } });
    await expect.poll(() => inlineGates.size).toBe(held + 1);
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const requests = [
      half(url, session, { id: 2, method: 'ping' }),
      half(url, session, { id: 3, method: 'tools/call', params: { name: 'echo', arguments: { message: 'hi' } } }),
      half(url, undefined, { id: 4, method: 'initialize', params: initialize }),
    ];
    await expect.poll(() => connections(running)).toBe(4);
    const stopped = shutDown({ app: running.app, drainMs: 10_000, logger });
    const answers = await Promise.all(requests.map((request) => request.finish()));
    inlineGates.get('drain')?.('finished');
    await stopped;
    const stream = await inline;
    await stream.ended();

    expect(answers.map(({ status }) => status)).toEqual([200, 503, 503]);
    expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual([null, '1', '1']);
    expect(stream.text()).toContain('finished');
  });

  it('cuts what does not end within the drain time', async () => {
    const running = await start({});
    const { hostname, port } = new URL(await running.listen());
    const session = await rpcSession(running.app);
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc":')) });
    const { host: _host, ...headers } = HEADERS;
    const sending = fetch(`http://${hostname}:${port}/mcp`, {
      method: 'POST',
      headers: { ...headers, ...session.headers },
      body,
      duplex: 'half',
    });
    sending.catch(() => undefined);
    await expect.poll(() => connections(running)).toBeGreaterThan(0);
    await shutDown({ app: running.app, drainMs: 20, logger });

    await expect(sending).rejects.toThrow();
  });
});

function half(url: string, session: RpcSession | undefined, message: object): HalfSent {
  const { host: _host, ...headers } = HEADERS;
  return halfSent(url, { headers: { ...headers, ...session?.headers }, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
}
