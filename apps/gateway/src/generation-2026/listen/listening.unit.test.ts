import { openMemoryStore } from '@longhaul/store-sqlite';
import { createServer, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ClientNotification } from '@longhaul/sessions';
import type { TaskSnapshot } from '@longhaul/tasks';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { messagesOf } from '../../../../../test/support/event-stream.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';
import { callWith } from '../../rpc/call.fixture.js';
import { KeepAlive } from '../../streams/keep-alive.js';
import type { SseWriter } from '../../streams/sse-writer.js';
import type { ScopedTasks } from '../../rpc/tasks/scoped-tasks.js';
import { CallResponse } from '../requests/call-response.js';
import { Listening } from './listening.js';
import { ListenSlots } from './listen-slots.js';

const MIB = 1024 * 1024;
const view = { taskId: 'a', createdAt: 0, updatedAt: 0, ttlMs: 1_000, pollIntervalMs: 500, pendingInputs: [] };

/** A task that changes again for as long as there is a listener. */
function chatty(says: (n: number) => string) {
  const state = { sent: 0, isFollowed: false };
  const tasks = {
    getWithOutcome: () => Promise.resolve({ view }),
    async *follow(_from: unknown, signal: AbortSignal): AsyncGenerator<TaskSnapshot> {
      state.isFollowed = true;
      for (; !signal.aborted; state.sent++) {
        yield { view: { ...view, version: state.sent, statusMessage: says(state.sent) } } as unknown as TaskSnapshot;
        await new Promise(setImmediate);
      }
      state.isFollowed = false;
    },
  };
  return { state, tasks: tasks as unknown as ScopedTasks };
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const round = { requestState: undefined, inputResponses: {}, isAnswered: false, unreadable: [] };

/** A server on which each request listens to the given sources. */
async function listeningAt(tasks: ScopedTasks, notifications: object) {
  const { sessionNotifications } = openMemoryStore();
  const listening = new Listening({
    watch: () => undefined,
    tasks,
    sessionNotifications,
    owners: { idOf: (owner) => owner },
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    serverMeta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } },
    slots: new ListenSlots(() => 4),
    logger: pino({ level: 'silent' }),
    closing: new AbortController().signal,
  });
  await listening.start();
  const alive = new KeepAlive<SseWriter>(15_000, (stream) => stream.keepAlive());
  const { method } = listening;
  const server = createServer((_request, response) => {
    if (method.kind === 'streams')
      void method.open(
        { call: callWith({ notifications }), round, knowsTasks: true },
        new CallResponse(response, alive, { json: true, stream: true }),
      );
  }).listen(0, '127.0.0.1');
  ends.push(() => {
    alive.stop();
    listening.stop();
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { listening, sessionNotifications, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it('cuts off a client that does not read what there is for it, and follows nothing for it any more', async () => {
  const { state, tasks } = chatty((n) => `${n}${'x'.repeat(MIB)}`);
  const { url } = await listeningAt(tasks, { taskIds: ['a'] });
  const request = get(url);
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  await waitUntil(() => state.sent >= 32 && !state.isFollowed, { description: 'it is cut off' });
  const { sent } = state;
  await new Promise(setImmediate);

  expect(state.sent).toBe(sent);
});

it('keeps nothing of a client that has left', async () => {
  const { state, tasks } = chatty(String);
  const { url } = await listeningAt(tasks, { taskIds: ['a'], toolsListChanged: true });
  const leaving = new AbortController();
  const reader = (await fetch(url, { signal: leaving.signal })).body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('notifications/tasks')) text += (await reader?.read())?.value;
  leaving.abort();

  await waitUntil(() => !state.isFollowed, { description: 'nothing is followed any more' });
});

it('sends what was asked for and is there, and nothing else', async () => {
  const { tasks } = chatty(String);
  const wishes = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: false, resourceSubscriptions: ['a:b'] };
  const { listening, sessionNotifications, url } = await listeningAt(tasks, wishes);
  const response = await fetch(url);
  const publish = (method: string, params: ClientNotification['params'] = {}) => sessionNotifications.publishToAll({ method, params });
  await publish('notifications/prompts/list_changed');
  await publish('notifications/resources/list_changed');
  await publish('notifications/resources/updated', { uri: 'a:c' });
  await publish('notifications/resources/updated', { uri: 'a:b' });
  await publish('constructor');
  await publish('notifications/tools/list_changed');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = async (): Promise<string> => (await reader?.read())?.value ?? '';
  let text = '';
  while (!text.includes('tools/list_changed')) text += await read();
  listening.sayGoodbye();
  for (let more = await read(); more !== ''; more = await read()) text += more;
  const messages = messagesOf(text);
  const _meta = { 'io.modelcontextprotocol/subscriptionId': 1 };

  expect(messages).toMatchObject([
    {
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] }, _meta },
    },
    { method: 'notifications/resources/updated', params: { uri: 'a:b', _meta } },
    { method: 'notifications/tools/list_changed', params: { _meta } },
    { id: 1, result: { resultType: 'complete', _meta } },
  ]);
});
