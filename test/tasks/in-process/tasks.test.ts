import {
  CallToolResultSchema,
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  GetTaskResultSchema,
  ListTasksResultSchema,
  ListToolsResultSchema,
  RELATED_TASK_META_KEY,
} from '@modelcontextprotocol/sdk/types.js';
import type { TaskId } from '@longhaul/tasks';
import { beforeEach, describe, expect, it } from 'vitest';
import { messagesOf } from '../../support/event-stream.js';
import { waitUntil } from '../../support/wait-until.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { post, rpcSession, type RpcResponse, type RpcSession } from '../../support/gateway/rpc.js';

let session: RpcSession;

const service = serviceForTests({ settings: { maxTtlMs: 600_000 } });
beforeEach(async () => {
  session = await rpcSession(service.app);
});

const NOT_FOUND = { code: -32602, message: 'Failed to retrieve task: Task not found' };

async function startTask(name: string, task: Record<string, unknown> = {}, args?: Record<string, unknown>) {
  const { result } = await session.call('tools/call', { name, task, ...(args && { arguments: args }) });
  return CreateTaskResultSchema.parse(result).task;
}

async function statusOf(taskId: string): Promise<string> {
  return GetTaskResultSchema.parse((await session.call('tasks/get', { taskId })).result).status;
}

describe('tools/list', () => {
  it('shows all tools, and which of them can be called as tasks', async () => {
    const { tools } = ListToolsResultSchema.parse((await session.call('tools/list')).result);
    const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution?.taskSupport]));

    expect(support).toMatchObject({ echo: undefined, count: 'optional', 'must-be-task': 'optional' });
  });
});

describe('a plain tools/call', () => {
  it('of an inline tool is answered at once', async () => {
    const { result } = await session.call('tools/call', { name: 'echo', arguments: { message: 'hi' } });

    expect(CallToolResultSchema.parse(result).content).toEqual([{ type: 'text', text: 'Echo: hi' }]);
  });

  it('of a durable tool waits for the end of its task, which is given out to nobody', async () => {
    const { result } = await session.call('tools/call', { name: 'count' });

    expect(CallToolResultSchema.parse(result)).toEqual({ content: [{ type: 'text', text: 'counted to 3' }] });
    expect(ListTasksResultSchema.parse((await session.call('tasks/list')).result).tasks).toEqual([]);
  });

  it('with a progress token is answered on a stream, after its progress', async () => {
    const params = { name: 'count', arguments: { to: 2 }, _meta: { progressToken: 'p-1' } };
    const response = await post(service.app, { jsonrpc: '2.0', id: 9, method: 'tools/call', params }, session.headers);
    const messages = messagesOf(response.body);

    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(messages.at(-1)).toMatchObject({ id: 9, result: { content: [{ text: 'counted to 2' }] } });
    expect(messages.at(-2)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p-1', progress: 2, total: 2, message: 'step 2' },
    });
  });

  it.each([
    ['an unknown tool', { name: 'nope' }, { code: -32602, message: 'Unknown tool: nope' }],
    ['no name', {}, { code: -32602, message: expect.stringContaining('name') as string }],
    [
      'arguments that are no object',
      { name: 'echo', arguments: [1] },
      { code: -32602, message: expect.stringContaining('arguments') as string },
    ],
    ['a progress token that is an object', { name: 'echo', _meta: { progressToken: {} } }, { code: -32602 }],
    ['a task of an inline tool', { name: 'echo', task: {} }, { code: -32601 }],
    ['a task that is no object', { name: 'count', task: 1 }, { code: -32602, message: expect.stringContaining('task') as string }],
    ['a negative ttl', { name: 'count', task: { ttl: -1 } }, { code: -32602, message: expect.stringContaining('task.ttl') as string }],
    [
      'a ttl that is a text',
      { name: 'count', task: { ttl: '1' } },
      { code: -32602, message: expect.stringContaining('task.ttl') as string },
    ],
    ['a tool that throws a JSON-RPC error', { name: 'broken' }, { code: -32050, message: 'broken by design', data: { part: 7 } }],
  ])('with %s is an error', async (_title, params, error) => {
    expect((await session.call('tools/call', params)).error).toMatchObject(error);
  });

  it('with an infinite ttl is an error', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","task":{"ttl":1e999}}}';
    const response = await post(service.app, body, session.headers);

    expect(response.json<RpcResponse>().error).toMatchObject({ code: -32602, message: expect.stringContaining('task.ttl') as string });
  });

  it.each(['echo', 'count'])('of %s with wrong arguments is a result that names the field', async (name) => {
    const args = name === 'echo' ? { message: 1 } : { to: 'x' };
    const result = CallToolResultSchema.parse((await session.call('tools/call', { name, arguments: args })).result);

    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain(`Invalid arguments for tool ${name}: ${name === 'echo' ? 'message' : 'to'}`);
  });
});

describe('a task', () => {
  it('is answered with its handle at once', async () => {
    const task = await startTask('sleep');

    expect(task).toMatchObject({ status: 'working', ttl: 120_000, pollInterval: 250 });
    expect(new Date(task.createdAt).toISOString()).toBe(task.createdAt);
    expect(GetTaskResultSchema.parse((await session.call('tasks/get', { taskId: task.taskId })).result).taskId).toBe(task.taskId);
  });

  it.each([
    ['that asks for none', 'count', {}, 300_000],
    ['that asks for one', 'sleep', { ttl: 61_000 }, 61_000],
    ['that asks for zero', 'sleep', { ttl: 0 }, 1],
    ['that asks for a fraction', 'sleep', { ttl: 1000.4 }, 1001],
    ['that asks for too much', 'sleep', { ttl: 1e15 }, 600_000],
    ['that asks for the longest', 'sleep', { ttl: null }, 600_000],
  ])('%s has its own ttl', async (_title, name, params, ttl) => {
    expect((await startTask(name, params)).ttl).toBe(ttl);
  });

  it('goes from working to completed, and its result names it', async () => {
    const { taskId } = await startTask('must-be-task');
    const { result } = await session.call('tasks/result', { taskId });

    expect(CallToolResultSchema.parse(result)).toEqual({
      content: [{ type: 'text', text: 'done' }],
      _meta: { [RELATED_TASK_META_KEY]: { taskId } },
    });
    expect(await statusOf(taskId)).toBe('completed');
  });

  it('with a tool error has failed, and tasks/result still has that result', async () => {
    const { taskId } = await startTask('must-be-task', {}, { result: 'error-result' });
    const { result } = await session.call('tasks/result', { taskId });

    expect(CallToolResultSchema.parse(result)).toMatchObject({ isError: true, content: [{ text: 'no luck' }] });
    expect((await session.call('tasks/get', { taskId })).result).toMatchObject({
      status: 'failed',
      statusMessage: expect.any(String) as string,
    });
  });

  it('with a JSON-RPC error has failed, and tasks/result is that very error', async () => {
    const { taskId } = await startTask('must-be-task', {}, { result: 'rpc-error' });

    expect((await session.call('tasks/result', { taskId })).error).toEqual({ code: -32055, message: 'refused', data: { why: 'test' } });
    expect((await session.call('tasks/get', { taskId })).result).toMatchObject({ status: 'failed', statusMessage: 'refused' });
  });

  it('with wrong arguments has failed, and its result names the field', async () => {
    const { taskId } = await startTask('count', {}, { to: 'x' });
    const { result } = await session.call('tasks/result', { taskId });

    expect(CallToolResultSchema.parse(result)).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain('Invalid arguments for tool count: to:');
  });

  it('keeps nothing of arguments that were refused', async () => {
    const { taskId } = await startTask('count', {}, { to: 'x'.repeat(50_000) });
    await session.call('tasks/result', { taskId });

    const recorded = await service.store.events.read(taskId as TaskId);
    expect(JSON.stringify(recorded).length).toBeLessThan(10_000);
  });

  it('reports its progress on tasks/result under the token of the call that created it', async () => {
    const params = { name: 'count', task: {}, _meta: { progressToken: 0 } };
    const { task } = CreateTaskResultSchema.parse((await session.call('tools/call', params)).result);
    const body = { jsonrpc: '2.0', id: 1, method: 'tasks/result', params: { taskId: task.taskId } };
    const messages = messagesOf((await post(service.app, body, session.headers)).body);

    expect(messages.at(-2)).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 0, progress: 3, _meta: { [RELATED_TASK_META_KEY]: { taskId: task.taskId } } },
    });
  });

  it('can be cancelled once, and says so ever after', async () => {
    const { taskId } = await startTask('sleep');

    expect(CancelTaskResultSchema.parse((await session.call('tasks/cancel', { taskId })).result)).toMatchObject({
      taskId,
      status: 'cancelled',
    });
    expect((await session.call('tasks/cancel', { taskId })).error).toMatchObject({
      code: -32602,
      message: "Cannot cancel task: already in terminal status 'cancelled'",
    });
    expect(await statusOf(taskId)).toBe('cancelled');
    expect((await session.call('tasks/result', { taskId })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('cancelled') as string,
    });
  });

  it('that has ended cannot be cancelled', async () => {
    const { taskId } = await startTask('must-be-task');
    await waitUntil(async () => (await statusOf(taskId)) === 'completed', { description: 'the task has completed' });

    expect((await session.call('tasks/cancel', { taskId })).error).toMatchObject({
      code: -32602,
      message: "Cannot cancel task: already in terminal status 'completed'",
    });
  });
});

describe.each(['tasks/get', 'tasks/result', 'tasks/cancel'])('%s', (method) => {
  it.each([
    ['an unknown task', '00000000-0000-4000-8000-000000000000'],
    ['a text that is no task id', '../../etc/passwd'],
    ['an empty text', ''],
  ])('does not find %s', async (_title, taskId) => {
    expect((await session.call(method, { taskId })).error).toEqual(NOT_FOUND);
  });

  it('does not find the task of another session', async () => {
    const { taskId } = await startTask('sleep');
    const stranger = await rpcSession(service.app);

    expect((await stranger.call(method, { taskId })).error).toEqual(NOT_FOUND);
  });

  it.each([
    ['missing', {}],
    ['a number', { taskId: 7 }],
    ['null', { taskId: null }],
  ])('names the task id when it is %s', async (_title, params) => {
    expect((await session.call(method, params)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('taskId') as string,
    });
  });
});

describe('the task behind a plain call', () => {
  it.each(['tasks/get', 'tasks/cancel'])('is not found by %s', async (method) => {
    const implicit = await service.tasks.create({
      tool: 'sleep',
      arguments: {},
      owner: `session:${session.id}`,
      client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
      ttlMs: 1000,
      pollIntervalMs: 1000,
      implicit: true,
    });

    expect((await session.call(method, { taskId: implicit.taskId })).error).toEqual(NOT_FOUND);
  });

  it('has a result for a client that got its id instead', async () => {
    const before = service.created.length;
    const plain = session.call('tools/call', { name: 'sleep' });
    const { taskId, owner } = await waitUntil(() => service.created[before], { description: 'the call has its task' });
    const result = session.call('tasks/result', { taskId });
    await service.tasks.cancel(taskId, { owner });

    expect((await result).error).toEqual((await plain).error);
  });
});

describe('tasks/list', () => {
  it('shows the tasks of the session and no others, newest first, page by page', async () => {
    const stranger = await rpcSession(service.app);
    await stranger.call('tools/call', { name: 'sleep', task: {} });
    const created: string[] = [];
    for (let count = 0; count < 60; count++) created.push((await startTask('sleep')).taskId);
    const first = ListTasksResultSchema.parse((await session.call('tasks/list')).result);
    const second = ListTasksResultSchema.parse((await session.call('tasks/list', { cursor: first.nextCursor })).result);

    expect(second.nextCursor).toBeUndefined();
    expect([...first.tasks, ...second.tasks].map(({ taskId }) => taskId).toSorted()).toEqual(created.toSorted());
  });

  it.each(['nonsense', '', '\u0000'])('refuses the cursor %j', async (cursor) => {
    expect((await session.call('tasks/list', { cursor })).error).toMatchObject({ code: -32602, message: 'Invalid cursor' });
  });

  it('refuses a cursor that is no text', async () => {
    expect((await session.call('tasks/list', { cursor: 1 })).error).toMatchObject({ code: -32602 });
  });
});
