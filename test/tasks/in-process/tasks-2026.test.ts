/** Tests creation and polling of tasks in the tasks extension, with each request at another gateway than the one before. */
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { type ModernClient, modernClient, PLAIN_CLIENT, TASKS } from '../../support/gateway-2026/modern-client.js';
import { getTask, startTask, untilStatus } from '../../support/gateway-2026/task-client.js';

let here: ModernClient;
let there: ModernClient;

const gateways = gatewaysForTests({}, { features: modernFeatures });
beforeAll(async () => {
  here = modernClient(gateways.first);
  there = here.at(gateways.second);
});

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const MISSING = {
  code: -32021,
  message: expect.stringContaining('capabilit') as string,
  data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
};

/** A task of somebody else. */
async function foreignTask(): Promise<string> {
  const { taskId } = await gateways.first.tasks.create({
    tool: 'sleep',
    arguments: {},
    owner: 'somebody else',
    client: { generation: '2026-07-28', protocolVersion: '2026-07-28', capabilities: {} },
    ttlMs: 60_000,
    pollIntervalMs: 1_000,
  });
  return taskId;
}

describe('the extension', () => {
  it('is declared by server/discover as an empty object, and core tasks are not', async () => {
    const { result } = await here.call('server/discover');

    expect(result['capabilities']).toMatchObject({ extensions: { [TASKS]: {} } });
    expect((result['capabilities'] as { extensions: object }).extensions).toEqual({ [TASKS]: {} });
    expect(result['capabilities']).not.toHaveProperty('tasks');
  });

  it.each(['tasks/list', 'tasks/result'])('has no method %s', async (method) => {
    expect(await here.call(method, { taskId: 'x' })).toMatchObject({ status: 404, error: { code: -32601 } });
  });

  it('goes by what each request declares, and by nothing that was declared before', async () => {
    const plain = modernClient(gateways.first, PLAIN_CLIENT);
    expect((await here.tool('count', { to: 1 })).result['resultType']).toBe('task');
    expect((await plain.tool('count', { to: 1 })).result['resultType']).toBe('complete');
    expect((await here.tool('count', { to: 1 })).result['resultType']).toBe('task');
  });

  it.each([
    ['another extension', { extensions: { 'com.example/tasks': {} } }],
    ['the tasks of the other generation', { tasks: { requests: { tools: { call: {} } } } }],
  ])('is not declared by %s', async (_title, capabilities) => {
    expect((await modernClient(gateways.first, capabilities).tool('count', { to: 1 })).result['resultType']).toBe('complete');
  });
});

describe('a created task', () => {
  it('is answered flat, and without any content', async () => {
    const { result } = await here.tool('sleep');
    const { _meta, ...task } = result;

    expect(task).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(UUID) as string,
      status: 'working',
      createdAt: expect.stringMatching(ISO) as string,
      lastUpdatedAt: expect.stringMatching(ISO) as string,
      ttlMs: 120_000,
      pollIntervalMs: 250,
    });
    expect(_meta).toEqual({ 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'longhaul' }) as object });
  });

  it('can be read at once, at another gateway', async () => {
    for (let round = 0; round < 20; round++) {
      const { taskId } = await startTask(round % 2 === 0 ? here : there, 'count', { to: 1 });
      expect((await getTask(round % 2 === 0 ? there : here, taskId)).taskId).toBe(taskId);
    }
  });

  it.each([
    ['a preference for a task', 'echo', { task: { ttl: 1, pollInterval: 1 } }, 'complete'],
    ['a preference for a task', 'count', { task: { ttl: 1 } }, 'task'],
    ['a preference of a wrong shape', 'count', { task: 7 }, 'task'],
    ['a preference of null', 'echo', { task: null }, 'complete'],
  ])('does not depend on %s in the params of %s', async (_title, name, more, resultType) => {
    const { result, error } = await here.tool(name, name === 'echo' ? { message: 'x' } : {}, more);

    expect(error).toBeUndefined();
    expect(result['resultType']).toBe(resultType);
    if (resultType === 'task') expect(result['ttlMs']).toBe(300_000);
  });

  it('is none of a tool that answers within the request', async () => {
    const { result } = await here.tool('echo', { message: 'hi' });

    expect(result).toMatchObject({ resultType: 'complete', content: [{ type: 'text', text: 'Echo: hi' }] });
    expect(result).not.toHaveProperty('taskId');
  });

  it('is none when the arguments are wrong, which is a result that names the field', async () => {
    const { result } = await here.tool('count', { to: 'many' });

    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(JSON.stringify(result['content'])).toContain('Invalid arguments for tool count: to');
  });

  it('has a random id of 122 bits', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await startTask(here, 'count', { to: 1 })).taskId));

    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(id).toMatch(UUID);
  });
});

describe('tasks/get', () => {
  it('shows a task that works, with what it says of itself', async () => {
    const { taskId } = await startTask(here, 'talk');
    const task = await waitUntil(
      async () => {
        const seen = await getTask(there, taskId);
        return seen['statusMessage'] === 'half way' && seen;
      },
      { description: 'the task is half way' },
    );
    const { _meta, ...shown } = task;

    expect(shown).toEqual({
      resultType: 'complete',
      taskId,
      status: 'working',
      statusMessage: 'half way',
      createdAt: expect.stringMatching(ISO) as string,
      lastUpdatedAt: expect.stringMatching(ISO) as string,
      ttlMs: 300_000,
      pollIntervalMs: 500,
    });
    expect((task['createdAt'] as string) <= (task['lastUpdatedAt'] as string)).toBe(true);
    await here.call('tasks/cancel', { taskId });
  });

  it('shows the result of a completed task inside it, just as the call would have been answered', async () => {
    const { taskId } = await startTask(here, 'shout', { text: 'hey' });
    const task = await untilStatus(there, taskId, 'completed');
    const plain = await modernClient(gateways.first, PLAIN_CLIENT).tool('shout', { text: 'hey' });
    const { _meta, ...answer } = plain.result;

    expect(task).toMatchObject({ resultType: 'complete', status: 'completed' });
    expect(task['result']).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: '{"shouted":"HEY"}' }],
      structuredContent: { shouted: 'HEY' },
    });
    expect(task['result']).toEqual(answer);
    expect(task).not.toHaveProperty('error');
    expect(task).not.toHaveProperty('inputRequests');
    expect(task).not.toHaveProperty('requestState');
  });

  it("shows a tool's own error as a completed task", async () => {
    const { taskId } = await startTask(here, 'must-be-task', { result: 'error-result' });
    const task = await untilStatus(there, taskId, 'completed');

    expect(task['result']).toEqual({ resultType: 'complete', isError: true, content: [{ type: 'text', text: 'no luck' }] });
  });

  it('shows a JSON-RPC error as a failed task, with the error and what it says', async () => {
    const { taskId } = await startTask(here, 'refuse');
    const task = await untilStatus(there, taskId, 'failed');

    expect(task).toMatchObject({ statusMessage: 'refused', error: { code: -32010, message: 'refused', data: { why: 'test' } } });
    expect(task).not.toHaveProperty('result');
  });

  it('shows a cancelled task with the reason', async () => {
    const { taskId } = await startTask(here, 'sleep');
    await there.call('tasks/cancel', { taskId });
    const task = await untilStatus(here, taskId, 'cancelled');

    expect(task).toMatchObject({ statusMessage: 'The task was cancelled by request.' });
    for (const member of ['result', 'error', 'inputRequests']) expect(task).not.toHaveProperty(member);
  });

  it('still has a task whose ttl is over for a minute after its end', async () => {
    const { taskId, ttlMs } = await startTask(here, 'shout', { text: 'hey' });
    await untilStatus(here, taskId, 'completed');
    const keptMs = await gateways.store.keptMs(taskId);

    expect(ttlMs).toBe(1_000);
    expect(keptMs).toBeGreaterThan(55_000);
    expect(keptMs).toBeLessThanOrEqual(60_000);
  });

  it.each([
    ['no task has', () => Promise.resolve(crypto.randomUUID())],
    ['cannot be the id of a task', () => Promise.resolve('nope')],
    ['is empty', () => Promise.resolve('')],
    ["is that of somebody else's task", foreignTask],
  ])('refuses an id that %s, in one and the same way', async (_title, taskId) => {
    const { status, error } = await here.call('tasks/get', { taskId: await taskId() });

    expect(error).toEqual({ code: -32602, message: 'Failed to retrieve task: Task not found' });
    expect(status).toBe(200);
  });

  it('refuses an id that is no text', async () => {
    expect((await here.call('tasks/get', { taskId: 7 })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('taskId') as string,
    });
  });
});

describe('a client that has not declared the extension', () => {
  it.each([
    ['tasks/get', {}],
    ['tasks/update', { inputResponses: {} }],
    ['tasks/cancel', {}],
  ])('is refused by %s, before anything is looked up', async (method, params) => {
    const known = await startTask(here, 'sleep');
    const plain = modernClient(gateways.second, PLAIN_CLIENT);
    for (const taskId of [known.taskId, crypto.randomUUID(), 'nope']) {
      const { status, error } = await plain.call(method, { taskId, ...params });
      expect({ status, error }).toEqual({ status: 400, error: MISSING });
    }
    expect((await getTask(here, known.taskId)).status).toBe('working');
    await here.call('tasks/cancel', { taskId: known.taskId });
  });
});
