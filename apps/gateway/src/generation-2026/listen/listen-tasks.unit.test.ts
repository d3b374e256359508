import { getEventListeners } from 'node:events';
import type { TaskService, TaskSnapshot } from '@longhaul/tasks';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { waitUntil } from '../../../../../test/support/wait-until.js';
import { TASKS_EXTENSION } from '../extension.js';
import { TaskStreams } from './listen-tasks.js';

const view = { taskId: 'a', createdAt: 0, updatedAt: 0, ttlMs: 1_000, pollIntervalMs: 500, pendingInputs: [] };
const tasks = {
  get: () => Promise.resolve(view),
  async *follow(_from: unknown, signal: AbortSignal): AsyncGenerator<TaskSnapshot> {
    yield { view } as unknown as TaskSnapshot;
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('left'))));
  },
} as unknown as TaskService;

const acknowledgement = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } };
const end = { jsonrpc: '2.0', id: 1, result: {} };
const request = {
  id: 1,
  params: {
    _meta: { 'io.modelcontextprotocol/clientCapabilities': { extensions: { [TASKS_EXTENSION]: {} } } },
    notifications: { taskIds: ['a'] },
  },
};

it('keeps nothing of a client that has left', async () => {
  const closing = new AbortController().signal;
  const frames = [acknowledgement, end].map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join('');
  const answer = new Response(frames, { headers: { 'content-type': 'text/event-stream' } });
  const hungUp = new AbortController();

  const streams = new TaskStreams({ tasks, logger: pino({ level: 'silent' }), keepAliveMs: 15_000, closing });
  const { body } = await streams.serve(request, answer, { caller: { owner: 'me' }, hungUp: hungUp.signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('notifications/tasks')) text += (await reader?.read())?.value;
  expect(getEventListeners(closing, 'abort')).toHaveLength(1);

  hungUp.abort();
  while (!(await reader?.read())?.done) text += '.';
  expect(getEventListeners(closing, 'abort')).toHaveLength(0);
});

it('cuts off a client that does not read what there is for it, and keeps nothing of it', async () => {
  const MIB = 1024 * 1024;
  let told = 0;
  const chatty = {
    ...tasks,
    async *follow(_from: unknown, signal: AbortSignal): AsyncGenerator<TaskSnapshot> {
      for (; !signal.aborted; told++) {
        yield { view: { ...view, version: told, statusMessage: `${told}${'x'.repeat(MIB)}` } } as unknown as TaskSnapshot;
        await new Promise(setImmediate);
      }
    },
  } as unknown as TaskService;
  const frames = [acknowledgement, end].map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join('');
  const answer = new Response(frames, { headers: { 'content-type': 'text/event-stream' } });
  const closing = new AbortController().signal;

  const streams = new TaskStreams({ tasks: chatty, logger: pino({ level: 'silent' }), keepAliveMs: 15_000, closing });
  const { body } = await streams.serve(request, answer, { caller: { owner: 'me' }, hungUp: new AbortController().signal });
  await waitUntil(() => told >= 32 && getEventListeners(closing, 'abort').length === 0, { description: 'it is cut off' });
  const last = told;
  await new Promise(setImmediate);

  expect(told).toBe(last);
  await expect(body?.getReader().read()).rejects.toThrow('The client reads too slowly.');
});
