/** Tests the newer generation over a transport with one channel for everything, like stdio. */
import { InMemoryTransport, type JSONRPCRequest } from '@modelcontextprotocol/client';
import { afterEach, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.js';
import { Clients, named, textOf } from './support/clients.js';
import { done, task2026 } from './support/scripted-server.js';

type Answer = (request: JSONRPCRequest, push: (method: string, params: object) => void) => object | undefined;

const clients = new Clients();
afterEach(() => clients.close());

/** A server in this process. @returns what the client connects to, and the notifications that it sent */
function serve(answers: Readonly<Record<string, Answer>>) {
  const notified: { readonly method: string; readonly params?: unknown }[] = [];
  const target = (): InMemoryTransport => {
    const [client, server] = InMemoryTransport.createLinkedPair();
    server.onmessage = (message) => {
      if (!('id' in message) || !('method' in message)) return void notified.push(message as (typeof notified)[number]);
      const push = (method: string, params: object): void => void server.send({ jsonrpc: '2.0', method, params: { ...params } });
      const result = { ...greeting, ...answers }[message.method]?.(message, push);
      if (result !== undefined) void server.send({ jsonrpc: '2.0', id: message.id, result: { resultType: 'complete', ...result } });
    };
    void server.start();
    return client;
  };
  return { target, notified };
}

const greeting: Record<string, Answer> = {
  'server/discover': () => ({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    ttlMs: 0,
    cacheScope: 'private',
  }),
};

const acknowledge: Answer = ({ id, params }, push) => {
  const { notifications } = params as { notifications: object };
  push('notifications/subscriptions/acknowledged', { _meta: { 'io.modelcontextprotocol/subscriptionId': id }, notifications });
  return undefined;
};

it('a task is followed by push, asks, and ends; the server is notified that nobody listens any more', async () => {
  const inputRequests = {
    who: { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } },
  };
  let answered: unknown;
  const { target, notified } = serve({
    'tools/call': () => ({ resultType: 'task', ...task2026('working') }),
    'tasks/get': () => (answered === undefined ? task2026('input_required', { inputRequests }) : task2026('working')),
    'tasks/update': ({ params }, push) => {
      answered = params?.['inputResponses'];
      setTimeout(() => push('notifications/tasks', task2026('completed', { result: done() })), 20);
      return {};
    },
    'subscriptions/listen': acknowledge,
  });
  const client = await clients.connect(target, { onInput: named('Ada') });
  expect(client.generation).toBe('2026-07-28');
  expect(textOf(await client.callTool('work'))).toBe('done');
  expect(answered).toEqual({ who: { action: 'accept', content: { name: 'Ada' } } });
  await waitUntil(() => notified.some(({ method }) => method === 'notifications/cancelled'), {
    description: 'the subscription is cancelled',
  });
});

it('an aborted call is cancelled by a notification', async () => {
  const calls: JSONRPCRequest[] = [];
  const { target, notified } = serve({
    'tools/call': (request) => {
      calls.push(request);
      return undefined;
    },
  });
  const client = await clients.connect(target);
  const abort = new AbortController();
  const called = client.callTool('work', {}, { signal: abort.signal });
  await waitUntil(() => calls.length === 1, { description: 'the call is made' });
  abort.abort(new Error('not needed'));
  await expect(called).rejects.toThrow('not needed');
  await waitUntil(() => notified.length === 1, { description: 'the server is notified' });
  expect(notified[0]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: calls[0]?.id } });
});
