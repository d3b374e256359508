import type { ServerResponse } from 'node:http';
import type { TaskView } from '@longhaul/tasks';
import { CreateTaskResultSchema, RELATED_TASK_META_KEY } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { messagesOf } from '../../support/event-stream.js';
import { waitUntil } from '../../support/wait-until.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { HEADERS, post, rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import { openStream, type OpenStream } from '../../support/gateway/stream.js';
import { inlineSignals } from '../../support/gateway/tools.js';

let url: string;
let session: RpcSession;

const service = serviceForTests({ settings: { keepAliveMs: 20, patienceMs: 20 } });
beforeAll(async () => {
  url = await service.listen();
});
beforeEach(async () => {
  session = await rpcSession(service.app);
});

function open(id: string | number, method: string, params: Record<string, unknown>): Promise<OpenStream> {
  const { host: _host, ...headers } = HEADERS;
  return openStream(url, {
    method: 'POST',
    headers: { ...headers, ...session.headers },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  });
}

async function startTask(name: string): Promise<string> {
  return CreateTaskResultSchema.parse((await session.call('tools/call', { name, task: {} })).result).task.taskId;
}

const isQuestion = ({ method }: Record<string, unknown>): boolean => method === 'elicitation/create';
const isAnswer = (message: Record<string, unknown>): boolean => 'result' in message || 'error' in message;

async function ask(): Promise<{ taskId: string; stream: OpenStream; question: Record<string, unknown> }> {
  const taskId = await startTask('ask');
  const stream = await open(7, 'tasks/result', { taskId });
  return { taskId, stream, question: await stream.message('the task asks', isQuestion) };
}

const cancelRequest = (requestId: unknown) =>
  post(service.app, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, session.headers);

const answer = (body: Record<string, unknown>) => post(service.app, { jsonrpc: '2.0', ...body }, session.headers);

describe('tasks/result', () => {
  it('stays silent but alive until the task ends', async () => {
    const taskId = await startTask('sleep');
    const stream = await open(7, 'tasks/result', { taskId });
    await waitUntil(() => stream.text().includes(': keep-alive'), { description: 'the stream is kept alive' });
    await session.call('tasks/cancel', { taskId });
    await stream.ended();

    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.messages()).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32602, message: expect.stringContaining('cancelled') as string } },
    ]);
  });

  it('asks the question of the task once, as a request that names the task', async () => {
    const { taskId, stream, question } = await ask();

    expect(question).toMatchObject({
      id: expect.stringContaining(`t|${taskId}|`) as string,
      params: { message: 'Your name?', _meta: { [RELATED_TASK_META_KEY]: { taskId } } },
    });
    expect((await session.call('tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
    await answer({ id: question['id'], result: { action: 'accept', content: { name: 'Ada' } } });
    await stream.ended();
    expect(stream.messages().filter(isQuestion)).toHaveLength(1);
    expect(stream.messages().at(-1)).toMatchObject({ id: 7, result: { content: [{ text: 'Hello Ada' }] } });
  });

  it('asks again with the same id when the client comes back', async () => {
    const { taskId, stream, question } = await ask();
    stream.hangUp();
    const again = await open(8, 'tasks/result', { taskId });

    expect(await again.message('the task asks again', isQuestion)).toEqual(question);
    again.hangUp();
    expect((await session.call('tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
  });
});

describe('an answer to a question', () => {
  it.each([
    ['that declines is what the task gets', { result: { action: 'decline' } }, 'No name: decline'],
    ['that is an error is what the task gets', { error: { code: -1, message: 'no user' } }, 'No answer: {"code":-1,"message":"no user"}'],
  ])('%s', async (_title, body, text) => {
    const { stream, question } = await ask();

    expect((await answer({ id: question['id'], ...body })).statusCode).toBe(202);
    await stream.ended();
    expect(stream.messages().at(-1)).toMatchObject({ result: { content: [{ text: expect.stringMatching(text) as string }] } });
  });

  it.each([
    ['of a wrong shape', { result: { action: 'perhaps' } }, /^The action of an answer must be/],
    ['whose content is no object', { result: { action: 'accept', content: 7 } }, /^The content of an answer must be/],
    ['without a usable error', { error: 'boom' }, /^The client's answer is invalid: error: /],
    ['that is no object', { result: 'yes' }, /^The action of an answer must be/],
  ])('%s is refused, and the question is asked again with the reason', async (_title, body, reason) => {
    const { stream, question } = await ask();
    expect((await answer({ id: question['id'], ...body })).statusCode).toBe(202);
    const again = await stream.message('the task asks again', (message) => isQuestion(message) && message['id'] !== question['id']);
    expect(again['params']).toMatchObject({ message: expect.stringMatching(reason) as string });
    await answer({ id: again['id'], result: { action: 'accept', content: { name: 'Ada' } } });
    await stream.ended();

    expect(stream.messages().at(-1)).toMatchObject({ result: { content: [{ text: 'Hello Ada' }] } });
  });

  it('counts once', async () => {
    const { stream, question } = await ask();
    await answer({ id: question['id'], result: { action: 'accept', content: { name: 'first' } } });
    await answer({ id: question['id'], result: { action: 'accept', content: { name: 'second' } } });
    await stream.ended();

    expect(stream.messages().at(-1)).toMatchObject({ result: { content: [{ text: 'Hello first' }] } });
  });

  it('from another session changes nothing', async () => {
    const { taskId, stream, question } = await ask();
    const stranger = await rpcSession(service.app);
    const body = { jsonrpc: '2.0', id: question['id'], result: { action: 'accept', content: { name: 'Eve' } } };

    expect((await post(service.app, body, stranger.headers)).statusCode).toBe(202);
    expect((await session.call('tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
    expect(service.logs.at(-1)).toMatchObject({ msg: 'response to an input that is not pending', taskId });
    stream.hangUp();
  });

  it('with a forged signature changes nothing', async () => {
    const { taskId, stream, question } = await ask();
    const forged = String(question['id']).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));

    expect((await answer({ id: forged, result: { action: 'accept', content: { name: 'Eve' } } })).statusCode).toBe(202);
    expect((await session.call('tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
    stream.hangUp();
  });

  it.each([[1], ['x'], [undefined], [null]])('that nobody asked, with id %j, is accepted and dropped', async (id) => {
    expect((await answer({ ...(id !== undefined && { id }), result: {} })).statusCode).toBe(202);
    expect(service.logs.at(-1)).toMatchObject({ level: 40 });
  });
});

describe('a plain call that waits', () => {
  it('asks on its own stream, without a task that the client could not look up', async () => {
    const stream = await open('plain', 'tools/call', { name: 'ask' });
    const question = await stream.message('the call asks', isQuestion);
    await answer({ id: question['id'], result: { action: 'accept', content: { name: 'Ada' } } });
    await stream.ended();

    expect(question['params']).not.toHaveProperty('_meta');
    expect(stream.messages().at(-1)).toEqual({ jsonrpc: '2.0', id: 'plain', result: { content: [{ type: 'text', text: 'Hello Ada' }] } });
  });

  it('gets no answer after the client cancelled it, and its task is cancelled', async () => {
    const created = nextCreated();
    const stream = await open('to-cancel', 'tools/call', { name: 'sleep' });
    const task = await created;
    await post(service.app, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'to-cancel' } }, session.headers);
    await stream.ended();

    expect(stream.messages().filter(isAnswer)).toEqual([]);
    expect(await endOf(task)).toBe('cancelled');
  });

  it('goes on when the client hangs up', async () => {
    const created = nextCreated();
    const stream = await open('to-leave', 'tools/call', { name: 'ask' });
    const task = await created;
    const question = await stream.message('the call asks', isQuestion);
    stream.hangUp();
    await answer({ id: question['id'], result: { action: 'accept', content: { name: 'Ada' } } });

    expect(await endOf(task)).toBe('result');
  });

  it('is not cancelled by another session', async () => {
    const stranger = await rpcSession(service.app);
    const stream = await open('mine', 'tools/call', { name: 'ask' });
    const question = await stream.message('the call asks', isQuestion);
    await post(service.app, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } }, stranger.headers);
    await answer({ id: question['id'], result: { action: 'decline' } });
    await stream.ended();

    expect(stream.messages().filter(isAnswer)).toHaveLength(1);
  });

  it('of an inline tool has its signal aborted by a cancellation, also after the client hung up', async () => {
    const before = inlineSignals.length;
    const first = await open(1, 'tools/call', { name: 'wait-inline' });
    await cancelRequest(1);
    await first.ended();
    const noticed = new Promise<unknown>((resolve) => {
      service.app.server.once('request', (_request, response: ServerResponse) => response.once('close', resolve));
    });
    const second = await open(2, 'tools/call', { name: 'wait-inline' });
    second.hangUp();
    await noticed;
    const [cancelled, left] = inlineSignals.slice(before);

    expect(cancelled?.aborted).toBe(true);
    expect(left?.aborted).toBe(false);
    await cancelRequest(2);
    expect(left?.aborted).toBe(true);
  });

  it('is ended with its session', async () => {
    const stream = await open(3, 'tools/call', { name: 'sleep' });
    await service.app.inject({ method: 'DELETE', url: '/mcp', headers: { host: HEADERS.host, ...session.headers } });
    await stream.ended();

    expect(stream.messages()).toMatchObject([{ id: 3, error: { code: -32001 } }]);
  });
});

describe('a batch', () => {
  it('is answered on one stream when one of its requests has something to say before', async () => {
    const old = await rpcSession(service.app, '2025-03-26');
    const params = { name: 'count', arguments: { to: 1 }, _meta: { progressToken: 'p' } };
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params },
    ];
    const response = await post(service.app, batch, old.headers);

    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(messagesOf(response.body)).toMatchObject([
      { id: 1, result: {} },
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
      { id: 2, result: { content: [{ text: 'counted to 1' }] } },
    ]);
  });

  it('has no answer for a request that was cancelled', async () => {
    const old = await rpcSession(service.app, '2025-03-26');
    const created = nextCreated();
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'sleep' } },
    ];
    const answering = post(service.app, batch, old.headers);
    const task = await created;
    await post(service.app, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }, old.headers);

    expect((await answering).body).toContain('"id":1');
    expect((await answering).body).not.toContain('"id":2');
    expect(await endOf(task)).toBe('cancelled');
  });
});

describe('a cancellation that means nothing', () => {
  it.each([[{ requestId: 'unknown' }], [{}], [{ requestId: { a: 1 } }], [undefined]])(
    'such as %j is accepted and ignored',
    async (params) => {
      const response = await post(service.app, { jsonrpc: '2.0', method: 'notifications/cancelled', params }, session.headers);

      expect(response.statusCode).toBe(202);
    },
  );
});

/** The task that is created next, also if no client receives it. */
function nextCreated(): Promise<TaskView> {
  const before = service.created.length;
  return waitUntil(() => service.created[before], { description: 'a task is created' });
}

/** How the task ends. */
async function endOf(task: TaskView): Promise<string | undefined> {
  for await (const { outcome } of service.tasks.follow({ view: task }, AbortSignal.timeout(10_000))) if (outcome) return outcome.kind;
  return undefined;
}
