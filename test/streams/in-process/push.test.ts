/** Tests the messages that a client receives without asking: on its standalone stream, or on the stream of a waiting request. */
import { CreateTaskResultSchema, RELATED_TASK_META_KEY, TaskStatusNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { HEADERS, rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import { openStream, type OpenStream } from '../../support/gateway/stream.js';

let url: string;
let session: RpcSession;

const service = serviceForTests({ settings: { keepAliveMs: 20, patienceMs: 20 } });
beforeAll(async () => {
  url = await service.listen();
});
beforeEach(async () => {
  session = await rpcSession(service.app);
});

async function listen(): Promise<OpenStream> {
  const stream = await openStream(url, { headers: { accept: 'text/event-stream', ...session.headers } });
  await waitUntil(() => stream.text().includes(': keep-alive'), { description: 'the stream is open' });
  return stream;
}

async function start(name: string, progressToken?: string): Promise<string> {
  const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
  return CreateTaskResultSchema.parse((await session.call('tools/call', { name, task: {}, ...meta })).result).task.taskId;
}

const cancel = (taskId: string) => session.call('tasks/cancel', { taskId });
const of =
  (method: string) =>
  (message: Record<string, unknown>): boolean =>
    message['method'] === method;
const isProgress = (progressToken: string) => (message: Record<string, unknown>) =>
  of('notifications/progress')(message) && (message['params'] as { progressToken?: unknown }).progressToken === progressToken;
const statuses = (stream: OpenStream) =>
  stream
    .messages()
    .filter(of('notifications/tasks/status'))
    .map((message) => TaskStatusNotificationSchema.parse(message).params);

describe('the standalone stream', () => {
  it('carries each change of a task, and is silent when it has ended', async () => {
    const stream = await listen();
    const taskId = await start('talk');
    await waitUntil(() => statuses(stream).some(({ statusMessage }) => statusMessage === 'half way'), {
      description: 'it says that it is half way',
    });
    await cancel(taskId);
    await waitUntil(() => statuses(stream).at(-1)?.status === 'cancelled', { description: 'the end has come' });
    expect(statuses(stream).map(({ status, statusMessage }) => `${status} ${statusMessage}`)).toEqual([
      'working begun',
      'working half way',
      'cancelled The task was cancelled by request.',
    ]);
    expect(statuses(stream).every((task) => task.taskId === taskId)).toBe(true);
    stream.hangUp();
  });

  it('carries the status when input is required, and when it no longer is', async () => {
    const stream = await listen();
    const taskId = await start('ask');
    await waitUntil(() => statuses(stream).at(-1)?.status === 'input_required', { description: 'the status has come' });
    await cancel(taskId);
    await waitUntil(() => statuses(stream).at(-1)?.status === 'cancelled', { description: 'the end has come' });
    stream.hangUp();
  });

  it('carries progress under the token of the call, and notifications of at least the level that the session wants', async () => {
    const stream = await listen();
    await session.call('logging/setLevel', { level: 'warning' });
    const taskId = await start('talk', 'mine');
    const related = { [RELATED_TASK_META_KEY]: { taskId } };
    await stream.message('the elicitation is complete', of('notifications/elicitation/complete'));
    expect(stream.messages().find(of('notifications/progress'))).toMatchObject({
      params: { progressToken: 'mine', progress: 1, total: 2, _meta: related },
    });
    expect(stream.messages().filter(of('notifications/message'))).toMatchObject([
      { params: { level: 'warning', logger: 'talker', data: { what: 'something' }, _meta: related } },
    ]);
    await cancel(taskId);
    stream.hangUp();
  });

  it('carries debug messages to a session that wants them, and none below info to one that never said', async () => {
    const quiet = await listen();
    const first = await start('talk');
    await quiet.message('something is said', of('notifications/message'));
    quiet.hangUp();
    await session.call('logging/setLevel', { level: 'debug' });
    const loud = await waitUntil(() => listen().catch(() => false as const), { description: 'the first stream is closed' });
    const second = await start('talk');
    await waitUntil(() => loud.messages().filter(of('notifications/message')).length === 2, { description: 'both are said' });
    expect(quiet.messages().filter(of('notifications/message'))).toMatchObject([{ params: { level: 'warning' } }]);
    expect(loud.messages().filter(of('notifications/message'))).toMatchObject([
      { params: { level: 'debug' } },
      { params: { level: 'warning' } },
    ]);
    await Promise.all([cancel(first), cancel(second)]);
    loud.hangUp();
  });

  it('carries progress and log messages of a task before it says that the task has ended', async () => {
    const stream = await listen();
    for (let round = 0; round < 5; round++) {
      const taskId = await start('last-words', `round-${round}`);
      await waitUntil(() => statuses(stream).some((task) => task.taskId === taskId && task.status === 'completed'), {
        description: 'the end has come',
      });
      await waitUntil(() => stream.messages().some(isProgress(`round-${round}`)), { description: 'the progress has come' });
      expect(stream.messages().at(-1)).toMatchObject({ method: 'notifications/tasks/status', params: { taskId, status: 'completed' } });
    }
    stream.hangUp();
  });

  it('carries nothing of other sessions', async () => {
    const stranger = await rpcSession(service.app);
    const stream = await listen();
    await stranger.call('tools/call', { name: 'talk', task: {} });
    const mine = await start('talk');
    await waitUntil(() => statuses(stream).length >= 2, { description: 'the own task has come' });
    expect(new Set(statuses(stream).map(({ taskId }) => taskId))).toEqual(new Set([mine]));
    await cancel(mine);
    stream.hangUp();
  });
});

describe('notifications that two streams could carry', () => {
  it('come on one of them', async () => {
    const standalone = await listen();
    const taskId = await start('talk', 'token');
    const { host: _host, ...headers } = HEADERS;
    const waiting = await openStream(url, {
      method: 'POST',
      headers: { ...headers, ...session.headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/result', params: { taskId } }),
    });
    const both = () => [...standalone.messages(), ...waiting.messages()];
    await waitUntil(() => both().some(of('notifications/elicitation/complete')), { description: 'the last of them has come' });
    await cancel(taskId);
    await waiting.ended();
    await waitUntil(() => statuses(standalone).at(-1)?.status === 'cancelled', { description: 'the end has come' });
    expect(both().filter(of('notifications/progress'))).toHaveLength(1);
    expect(both().filter(of('notifications/message'))).toHaveLength(1);
    expect(both().filter(of('notifications/elicitation/complete'))).toHaveLength(1);
    standalone.hangUp();
  });
});
