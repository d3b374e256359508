/** Tests plain calls of durable tools by clients of sessions that do not follow tasks, as nearly all clients do not. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests, type TestGateway } from '../../support/gateway/gateways.js';
import { type RpcResponse, type RpcSession, rpcSession } from '../../support/gateway/rpc.js';

const gates = new Map<string, () => void>();

const features = createFeatureRegistry([
  defineTool({
    name: 'work',
    description: 'Works until the test says so',
    input: z.object({ name: z.string() }),
    output: z.object({ done: z.string() }),
    task: 'optional',
    async run({ name }, context) {
      context.progress({ progress: 3, total: 10, message: 'three of ten' });
      await context.step('work', () => new Promise<void>((resolve) => void gates.set(name, resolve)));
      return { done: name };
    },
  }),
  defineTool({
    name: 'ask-later',
    description: 'Asks when the test says so',
    input: z.object({ name: z.string() }),
    task: 'optional',
    async run({ name }, context) {
      await context.step('work', () => new Promise<void>((resolve) => void gates.set(name, resolve)));
      const answer = await context.elicit(z.object({ name: z.string() }), 'Who?');
      return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action;
    },
  }),
  defineTool({ name: 'quick', description: 'Ends at once', input: z.object({}), task: 'optional', run: async () => 'done' }),
]);

/** The last of them because it cannot be asked. */
const STAND_INS = ['task_result', 'task_status', 'task_cancel', 'task_list', 'task_answer'];
const gateways = gatewaysForTests({ syncWaitMs: 100 }, { features });

const textOf = ({ result }: { readonly result?: Record<string, unknown> | undefined }): string => {
  const [block] = (result?.['content'] ?? []) as { text: string }[];
  return block?.text ?? '';
};
const tool = (session: RpcSession, name: string, args: object = {}): Promise<RpcResponse> =>
  session.call('tools/call', { name, arguments: args });
const taskIn = (answer: RpcResponse): string => /task_result with {"taskId":"([^"]+)"}/.exec(textOf(answer))?.[1] ?? '';
const listed = async (session: RpcSession) =>
  (await session.call('tools/list')).result?.['tools'] as { name: string; outputSchema?: object; execution?: object }[];
const namesOf = async (session: RpcSession): Promise<string[]> => (await listed(session)).map(({ name }) => name);
/** Lets a call of the name go on. */
const release = async (name: string): Promise<void> => (await waitUntil(() => gates.get(name), { description: `${name} works` }))();
const open = (version = '2025-11-25', capabilities: Record<string, unknown> = {}): Promise<RpcSession> =>
  rpcSession(gateways.first.app, version, capabilities);

describe.each(['2025-11-25', '2025-06-18', '2025-03-26'])('a client of %s that does not follow tasks', (version) => {
  it('is listed the stand-ins, and durable tools without a schema of their results', async () => {
    const tools = await listed(await open(version));
    const work = tools.find(({ name }) => name === 'work');

    expect(tools.map(({ name }) => name)).toEqual(['work', 'ask-later', 'quick', ...STAND_INS]);
    expect(work).not.toHaveProperty('outputSchema');
    expect(work?.execution).toEqual(version === '2025-11-25' ? { taskSupport: 'optional' } : undefined);
  });

  it('gets the result of a long call from a stand-in, at any gateway', async () => {
    const [session, name] = [await open(version), `${version} result`];
    const call = await tool(session, 'work', { name });
    const there = gateways.second.use(session);
    const waiting = await waitUntil(
      async () => {
        const answer = await tool(there, 'task_result', { taskId: taskIn(call) });
        return textOf(answer).includes('So far') && answer;
      },
      { description: 'it has reported' },
    );
    await release(name);
    const result = await waitUntil(
      async () => {
        const answer = await tool(there, 'task_result', { taskId: taskIn(call) });
        return answer.result?.['structuredContent'] !== undefined && answer;
      },
      { description: 'the result is there' },
    );

    expect(textOf(call)).toMatch(/^work is still running, as task .* do not call work again for this\. /);
    expect(call.result).not.toHaveProperty('isError');
    expect(textOf(waiting)).toMatch(/^The task .* is still running\. So far: 3 of 10, three of ten\. .*call task_result/);
    expect(result.result).toMatchObject({ structuredContent: { done: name } });
  });
});

describe('a call that was handed over', () => {
  it('is recorded as that, and is a task that its caller finds by the protocol too', async () => {
    const session = await open();
    const taskId = taskIn(await tool(session, 'work', { name: 'recorded' }));
    const { result } = await session.call('tasks/list');

    expect((await gateways.store.views()).find((view) => view.taskId === taskId)).toMatchObject({
      detachedAt: expect.any(Number) as number,
    });
    expect(result).toMatchObject({ tasks: [{ taskId, status: 'working' }] });
    await tool(session, 'task_cancel', { taskId });
  });

  it('can be looked at, listed and cancelled, and then has no result', async () => {
    const session = await open();
    const taskId = taskIn(await tool(session, 'work', { name: 'cancelled' }));
    const status = await tool(session, 'task_status', { taskId });
    expect(status.result?.['structuredContent']).toMatchObject({ taskId, tool: 'work', status: 'working' });
    expect((await tool(session, 'task_list')).result?.['structuredContent']).toMatchObject({ tasks: [{ taskId, tool: 'work' }] });
    expect(textOf(await tool(session, 'task_cancel', { taskId }))).toContain('is cancelled');
    expect(textOf(await tool(session, 'task_cancel', { taskId }))).toContain('had ended before');

    const { result } = await tool(session, 'task_result', { taskId });
    expect(result).toMatchObject({ isError: true });
    expect(textOf({ result })).toContain('cancelled');
  });

  it('asks its client while a stand-in waits for it', async () => {
    const session = await open('2025-11-25', { elicitation: {} });
    const taskId = taskIn(await tool(session, 'ask-later', { name: 'asks' }));
    const there = gateways.second;
    const stream = await there.post(session, 'wait', 'tools/call', { name: 'task_result', arguments: { taskId } });
    await release('asks');
    const question = await questionOn(there, session, taskId, stream);
    await there.send(session, { id: question['id'], result: { action: 'accept', content: { name: 'Ada' } } });
    const ended = await waitUntil(
      async () => {
        const answer = await tool(session, 'task_result', { taskId });
        return textOf(answer).startsWith('Hello') && answer;
      },
      { description: 'it has ended' },
    );

    expect(textOf(ended)).toBe('Hello Ada');
    expect(question).not.toHaveProperty('params._meta');
  });

  it('is seen by nobody else', async () => {
    const [session, other] = [await open(), await open()];
    const taskId = taskIn(await tool(session, 'work', { name: 'mine' }));
    for (const name of ['task_result', 'task_status', 'task_cancel'])
      expect(textOf(await tool(other, name, { taskId }))).toBe(`There is no task ${taskId}, or it has expired.`);
    expect((await tool(other, 'task_list')).result?.['structuredContent']).toEqual({ tasks: [] });
    await tool(session, 'task_cancel', { taskId });
  });

  it.each(['task_result', 'task_status', 'task_cancel'])('needs to be named by its id: %s', async (name) => {
    const session = await open();
    for (const args of [{}, { taskId: 7 }, { taskId: null }, { taskId: 'x'.repeat(300) }])
      expect((await tool(session, name, args)).result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('taskId') as string }],
      });
    expect((await tool(session, 'task_list', { cursor: 'nope' })).result).toMatchObject({ isError: true });
  });
});

describe('a call whose connection is lost', () => {
  it('is found by the list of tasks while it runs, and after its end', async () => {
    const session = await open();
    const stream = await gateways.first.post(session, 'lost', 'tools/call', { name: 'ask-later', arguments: { name: 'lost' } });
    const found = async () => (await tool(session, 'task_list')).result?.['structuredContent'] as { tasks: { taskId: string }[] };
    stream.hangUp();
    const { tasks } = await waitUntil(async () => ((await found()).tasks.length > 0 ? found() : false), { description: 'it is listed' });

    expect(tasks).toMatchObject([{ tool: 'ask-later', status: 'working' }]);
    await tool(session, 'task_cancel', { taskId: tasks[0]?.taskId });
    expect(await found()).toMatchObject({ tasks: [{ status: 'cancelled' }] });
  });
});

describe('a call on a stream', () => {
  // The stream begins after a second.
  const slow = gatewaysForTests({ syncWaitMs: 3_000 }, { features });

  it('is handed over on the resumed stream at the time of the first one', async () => {
    const session = await rpcSession(slow.first.app, '2025-11-25', {});
    const stream = await slow.first.post(session, 'resumed', 'tools/call', { name: 'work', arguments: { name: 'resumed' } });
    const eventId = await stream.lastEventId();
    stream.hangUp();
    const resumed = await slow.second.get(session, eventId);
    const answer = await resumed.message('it is handed over', ({ id }) => id === 'resumed');

    expect(textOf(answer)).toContain('work is still running');
    await tool(session, 'task_cancel', { taskId: taskIn(answer as unknown as RpcResponse) });
  });
});

describe('a client that follows tasks', () => {
  it('is listed no stand-ins when it takes tasks itself', async () => {
    const tools = await listed(await open('2025-11-25', { tasks: { requests: { elicitation: { create: {} } } } }));

    expect(tools.map(({ name }) => name)).toEqual(['work', 'ask-later', 'quick']);
    expect(tools[0]).toHaveProperty('outputSchema');
  });

  it('is told that its list has changed when it calls a tool as a task for the first time', async () => {
    const session = await open();
    const listening = await gateways.second.get(session);
    expect(await namesOf(session)).toContain('task_result');
    const call = { name: 'quick', arguments: {}, task: {} };
    expect((await session.call('tools/call', call)).result).toHaveProperty('task');
    await listening.message('the list has changed', ({ method }) => method === 'notifications/tools/list_changed');

    expect(await namesOf(gateways.second.use(session))).toEqual(['work', 'ask-later', 'quick']);
    expect((await tool(session, 'task_list')).error).toMatchObject({ code: -32602, message: 'Unknown tool: task_list' });
    listening.hangUp();
  });
});

describe('the bare protocol', () => {
  const bare = gatewaysForTests({ syncWaitMs: 100, isBare: true }, { features });

  it('has no stand-ins, and its plain calls wait for the end', async () => {
    const session = await rpcSession(bare.first.app, '2025-11-25', {});
    const call = tool(session, 'work', { name: 'bare' });
    await waitUntil(async () => (await bare.store.views()).some(({ createdAt }) => createdAt < Date.now() - 300), {
      description: 'longer than other calls wait',
    });
    await release('bare');

    expect((await call).result).toMatchObject({ structuredContent: { done: 'bare' } });
    expect(await namesOf(session)).toEqual(['work', 'ask-later', 'quick']);
  });
});

/** The question of a task: on the stream of the call that waits, or of one that waits after that was handed over. */
async function questionOn(
  gateway: TestGateway,
  session: RpcSession,
  taskId: string,
  stream: Awaited<ReturnType<TestGateway['post']>>,
): Promise<Record<string, unknown>> {
  for (let [current, at] = [stream, 0]; ; at++) {
    if (current.response.headers.get('content-type') === 'text/event-stream') {
      const message = await current.message(
        'a question or an answer',
        ({ method, id }) => method === 'elicitation/create' || id !== undefined,
      );
      if (message['method'] === 'elicitation/create') return message;
    }
    current = await gateway.post(session, `wait ${at}`, 'tools/call', { name: 'task_result', arguments: { taskId } });
  }
}
