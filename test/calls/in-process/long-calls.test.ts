/** Tests calls of clients without the tasks extension that take longer than a request may wait, or than their gateway lives. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests, startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { inlineGates } from '../../support/gateway/tools.js';
import { answerOf, type ModernClient, modernClient, PLAIN_CLIENT } from '../../support/gateway-2026/modern-client.js';
import { again, askedBy, keyOf, textOf } from '../../support/gateway-2026/rounds.js';
import { accept, startTask, untilStatus } from '../../support/gateway-2026/task-client.js';

let here: ModernClient;
let there: ModernClient;

const gateways = gatewaysForTests({ syncWaitMs: 100 }, { features: modernFeatures });
beforeAll(async () => {
  here = modernClient(gateways.first, PLAIN_CLIENT);
  there = here.at(gateways.second);
});

const OWNER = { owner: 'anonymous' };
/** Under whom the tasks of these tests are listed: their clients call from here. */

/** Calls a tool until it has become a handle. @returns the task's id in its text */
async function handleOf(name: string, args: object = {}): Promise<string> {
  const { result } = await here.tool(name, args);
  const [taskId] = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(textOf({ result })) ?? [];
  if (taskId === undefined) throw new Error(`No task is named: ${textOf({ result })}`);
  return taskId;
}

const namesOf = async (client: ModernClient): Promise<string[]> =>
  ((await client.call('tools/list')).result['tools'] as { name: string }[]).map(({ name }) => name);

describe('the tools for tasks', () => {
  const TOOLS = ['task_result', 'task_status', 'task_cancel'];

  it('are listed to clients without the extension, after the others, and to nobody else', async () => {
    const plain = await namesOf(here);
    const knowing = await namesOf(modernClient(gateways.first));

    expect(plain).toEqual([...knowing, ...TOOLS, 'task_list']);
    expect(await namesOf(there)).toEqual(plain);
    for (const name of TOOLS)
      expect((await modernClient(gateways.first).tool(name, { taskId: 'x' })).error).toMatchObject({
        code: -32602,
        message: `Unknown tool: ${name}`,
      });
  });

  it.each(TOOLS)('%s is listed with a schema of its argument', async (name) => {
    const tools = (await here.call('tools/list')).result['tools'] as { name: string; inputSchema: object; description: string }[];

    expect(tools.find((tool) => tool.name === name)).toMatchObject({
      description: expect.any(String) as string,
      inputSchema: { type: 'object', properties: { taskId: { type: 'string' } }, required: ['taskId'] },
    });
  });

  it.each(TOOLS)('%s says in words what it was called with', async (name) => {
    for (const args of [{}, { taskId: 7 }, { taskId: null }]) expect(textOf(await here.tool(name, args))).toContain('taskId: ');
    for (const taskId of ['nope', crypto.randomUUID()]) {
      const { result } = await there.tool(name, { taskId });
      expect(result).toMatchObject({ isError: true });
      expect(textOf({ result })).toContain(taskId);
    }
  });
});

describe('a call that takes too long', () => {
  it('is answered with the id of its task, and the tools that take it', async () => {
    const { result } = await here.tool('sleep');

    expect(result).toMatchObject({ resultType: 'complete' });
    expect(result).not.toHaveProperty('isError');
    expect(textOf({ result })).toMatch(/^sleep is still running, as task .*do not call sleep again.*call task_result with {"taskId":"/);
  });

  it('is answered with no structured content, because such clients are listed no schema of its results', async () => {
    const { result } = await here.tool('shout', { text: 'hey', forMs: 3_600_000 });
    const schemaOf = async (client: ModernClient): Promise<unknown> => {
      const { result: listed } = await client.call('tools/list');
      return (listed['tools'] as { name: string; outputSchema?: object }[]).find(({ name }) => name === 'shout')?.outputSchema;
    };

    expect(result).not.toHaveProperty('structuredContent');
    expect(result).not.toHaveProperty('isError');
    expect(await schemaOf(here)).toBeUndefined();
    expect(await schemaOf(modernClient(gateways.first))).toBeDefined();
  });

  it('goes on, and its status can be read', async () => {
    const taskId = await handleOf('sleep');
    const { result } = await there.tool('task_status', { taskId });

    expect(result['structuredContent']).toMatchObject({ taskId, tool: 'sleep', status: 'working' });
    expect(JSON.parse(textOf({ result }))).toEqual(result['structuredContent']);
  });

  it('can be waited for, also more than once', async () => {
    const taskId = await handleOf('shout', { text: 'hey', forMs: 400 });
    const { result } = await waitUntil(
      async () => {
        const answer = await there.tool('task_result', { taskId });
        return answer.result['structuredContent'] !== undefined && answer;
      },
      { description: 'the result is there' },
    );

    expect(result['structuredContent']).toEqual({ shouted: 'HEY' });
    expect((await here.tool('task_result', { taskId })).result).toEqual(result);
  });

  it('may ask while it is waited for', async () => {
    const taskId = await handleOf('sleep-and-ask', { forMs: 300 });
    const asked = await waitUntil(
      async () => {
        const answer = await there.tool('task_result', { taskId });
        return answer.result['resultType'] === 'input_required' && askedBy(answer);
      },
      { description: 'it asks' },
    );
    const answers = again(asked, { [keyOf(asked, 'You?')]: accept({ name: 'Ada' }) });
    await here.tool('task_result', { taskId }, answers);
    await untilEnded(taskId);

    expect(textOf(await there.tool('task_result', { taskId }))).toBe('Hello Ada');
    expect((await there.tool('task_result', { taskId }, { ...answers, requestState: 'made up' })).error).toMatchObject({ code: -32602 });
  });

  it('can be cancelled, and says so when it had ended before', async () => {
    const taskId = await handleOf('sleep');
    expect(textOf(await there.tool('task_cancel', { taskId }))).toContain('is cancelled');
    expect(textOf(await here.tool('task_cancel', { taskId }))).toContain('had ended before');
    expect((await here.tool('task_status', { taskId })).result['structuredContent']).toMatchObject({ status: 'cancelled' });
    const { result } = await there.tool('task_result', { taskId });
    expect(result).toMatchObject({ isError: true });
    expect(textOf({ result })).toContain('cancelled');
  });

  it('is a task like any other to a client with the extension', async () => {
    const taskId = await handleOf('sleep');
    const knowing = modernClient(gateways.second);
    await knowing.call('tasks/cancel', { taskId });

    expect(await untilStatus(knowing, taskId, 'cancelled')).toMatchObject({ taskId });
  });
});

describe('a gateway that shuts down', () => {
  it('sends a waiting client to another one, which goes on with the same task and asks nothing twice', async () => {
    const others = await startGateways({}, { features: modernFeatures });
    const client = modernClient(others.first, PLAIN_CLIENT);
    const { call } = await callInTask(client, others);
    const closing = others.first.app.close();
    const { result } = await answerOf(await call);
    await closing;
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) as string });
    expect(result).not.toHaveProperty('inputRequests');
    const asked = askedBy(await client.at(others.second).tool('sleep-and-ask', { forMs: 300 }, again(result as { requestState: string })));
    const answers = again(asked, { [keyOf(asked, 'You?')]: accept({ name: 'Ada' }) });

    expect(textOf(await client.at(others.second).tool('sleep-and-ask', { forMs: 300 }, answers))).toBe('Hello Ada');
    expect(await others.store.views()).toHaveLength(1);
    await others.close();
  });

  it('lets the calls that run in it finish', async () => {
    const others = await startGateways({}, { features: modernFeatures });
    const client = modernClient(others.first, PLAIN_CLIENT);
    const running = client.tool('release-inline', { name: 'a' });
    const release = await waitUntil(() => inlineGates.get('a'), { description: 'the tool runs' });
    const closing = others.first.app.close();
    const late = waitUntil(async () => (await client.tool('echo', { message: 'late' }).catch(() => undefined)) === undefined, {
      description: 'no new connection is taken',
    });
    await late;
    release('finished');

    expect(textOf(await running)).toBe('finished');
    await closing;
    await others.close();
  });

  it('does not wait for connections on which nothing has come', async () => {
    const others = await startGateways({}, { features: modernFeatures });
    const { hostname, port } = new URL(others.first.url);
    const socket = connect(Number(port), hostname);
    const gone = once(socket, 'close');
    await once(socket, 'connect');
    await modernClient(others.first).tool('echo', { message: 'hi' });
    await others.first.app.close();

    await gone;
    await others.close();
  });

  it('cancels no task', async () => {
    const others = await startGateways({}, { features: modernFeatures });
    const knowing = modernClient(others.first);
    const { taskId } = await startTask(knowing, 'sleep');
    await callInTask(modernClient(others.first, PLAIN_CLIENT), others);
    await others.first.app.close();
    const tasks = await others.store.views();

    expect(tasks.map(({ ending }) => ending)).toEqual([undefined, undefined]);
    expect(tasks.map((task) => task.taskId)).toContain(taskId);
    await others.close();
  });
});

/** A call that waits for its task, as soon as there is one. */
async function callInTask(client: ModernClient, { store }: TestGateways) {
  const known = (await store.views()).length;
  const call = client.open('tools/call', { name: 'sleep-and-ask', arguments: { forMs: 300 } });
  await waitUntil(async () => (await store.views()).length > known, {
    description: 'there is a task',
  });
  return { call };
}

function untilEnded(taskId: string): Promise<number> {
  return waitUntil(async () => (await gateways.first.tasks.get(taskId, OWNER)).endedAt, { description: 'the task has ended' });
}
