/** Tests the rules of the tasks specification in revision 2025-11-25 for messages around a task that no other test covers. */
import { CreateTaskResultSchema, ListTasksResultSchema, RELATED_TASK_META_KEY } from '@modelcontextprotocol/sdk/types.js';
import { createFeatureRegistry, definePrompt, defineResource } from '@longhaul/mcp-features';
import { beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { post, rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import { testTools } from '../../support/gateway/tools.js';

const prompt = definePrompt({ name: 'letter', description: 'A letter', run: () => 'Dear' });
const resource = defineResource({ uri: 'test://note', name: 'note', read: () => 'a note' });

let session: RpcSession;

const gateways = gatewaysForTests({ patienceMs: 20 }, { features: createFeatureRegistry([...testTools.features, prompt, resource]) });
beforeEach(async () => {
  session = await rpcSession(gateways.first.app);
});

const METHODS = ['tasks/get', 'tasks/cancel'] as const;

async function startTask(name: string): Promise<string> {
  return CreateTaskResultSchema.parse((await session.call('tools/call', { name, task: {} })).result).task.taskId;
}

async function untilStatus(taskId: string, status: string): Promise<void> {
  await waitUntil(async () => (await session.call('tasks/get', { taskId })).result?.['status'] === status, { description: status });
}

describe('a request that cannot be a task', () => {
  it.each([
    ['prompts/get', { name: 'letter' }],
    ['resources/read', { uri: 'test://note' }],
    ['tools/list', {}],
    ['ping', {}],
  ])('is answered as if it did not ask to be one: %s', async (method, params) => {
    const plain = await session.call(method, params);
    const asTask = await session.call(method, { ...params, task: { ttl: 60_000 } });

    expect(asTask.result).toEqual(plain.result);
    expect(asTask.result).not.toHaveProperty('task');
  });
});

describe('tasks/get', () => {
  it.each(['sleep', 'ask'])('is answered by JSON at once, no matter what the task %s is waiting for', async (name) => {
    const taskId = await startTask(name);
    await untilStatus(taskId, name === 'ask' ? 'input_required' : 'working');
    const response = await post(gateways.second.app, { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId } }, session.headers);

    expect(response.headers['content-type']).toContain('application/json');
    await session.call('tasks/cancel', { taskId });
  });
});

describe('the task that a request is about', () => {
  it.each([...METHODS, 'tasks/result'])('is the one of the params of %s, no matter what its metadata say', async (method) => {
    const [meant, other] = [await startTask(method === 'tasks/result' ? 'count' : 'sleep'), await startTask('sleep')];
    const { result } = await session.call(method, { taskId: meant, _meta: { [RELATED_TASK_META_KEY]: { taskId: other } } });

    if (method === 'tasks/result') expect(result?.['_meta']).toEqual({ [RELATED_TASK_META_KEY]: { taskId: meant } });
    else expect(result?.['taskId']).toBe(meant);
    expect((await session.call('tasks/get', { taskId: other })).result).toMatchObject({ status: 'working' });
  });

  it.each(METHODS)('is named once in the answer of %s', async (method) => {
    const taskId = await startTask('sleep');

    expect((await session.call(method, { taskId })).result).not.toHaveProperty('_meta');
  });

  it('is named once in a list, which has every task that can be read', async () => {
    const taskIds = [await startTask('sleep'), await startTask('count'), await startTask('ask')];
    const { tasks, _meta } = ListTasksResultSchema.parse((await session.call('tasks/list')).result);

    expect(new Set(tasks.map(({ taskId }) => taskId))).toEqual(new Set(taskIds));
    expect([_meta, ...tasks.map((task) => '_meta' in task)]).toEqual([undefined, false, false, false]);
  });

  it('is named once in a notification of its status', async () => {
    const stream = await gateways.second.get(session);
    await stream.lastEventId();
    const taskId = await startTask('sleep');
    await session.call('tasks/cancel', { taskId });
    const { params } = await stream.message('the end has come', ({ method }) => method === 'notifications/tasks/status');
    stream.hangUp();

    expect(params).toMatchObject({ taskId });
    expect(params).not.toHaveProperty('_meta');
  });
});

describe('a task in all of its answers', () => {
  it('says when it was created and last updated, and how long it is kept', async () => {
    const { result } = await session.call('tools/call', { name: 'ask', task: { ttl: 61_000 } });
    const { task } = CreateTaskResultSchema.parse(result);
    expect(task.status).toBe('working');
    await untilStatus(task.taskId, 'input_required');
    const get = (await session.call('tasks/get', { taskId: task.taskId })).result;
    const [list] = ListTasksResultSchema.parse((await session.call('tasks/list')).result).tasks;
    const cancelled = (await session.call('tasks/cancel', { taskId: task.taskId })).result;

    for (const seen of [task, get, list, cancelled]) {
      expect(seen).toMatchObject({ taskId: task.taskId, ttl: 61_000, createdAt: task.createdAt });
      const { createdAt, lastUpdatedAt } = seen as typeof task;
      for (const time of [createdAt, lastUpdatedAt]) expect(new Date(time).toISOString()).toBe(time);
      expect(createdAt <= lastUpdatedAt).toBe(true);
    }
  });
});
