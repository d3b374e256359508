/**
 * Tests answers of a session's client that do not fit the question of its task: the question stays open, and is asked again with the
 * reason.
 */
import { CreateTaskResultSchema, GetTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { MAX_ASKED_AGAIN } from '@longhaul/tasks';
import { beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests, type TestGateway } from '../../support/gateway/gateways.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import type { OpenStream } from '../../support/gateway/stream.js';

let session: RpcSession;

const gateways = gatewaysForTests({ keepAliveMs: 50, patienceMs: 20 });
beforeEach(async () => {
  session = await rpcSession(gateways.first.app);
});

async function startTask(name: string): Promise<string> {
  return CreateTaskResultSchema.parse((await session.call('tools/call', { name, task: {} })).result).task.taskId;
}

function untilStatus(taskId: string, status: string): Promise<unknown> {
  return waitUntil(async () => GetTaskResultSchema.parse((await session.call('tasks/get', { taskId })).result).status === status, {
    description: `the task is ${status}`,
  });
}

/** The next question on the stream that has none of these ids. */
async function question(stream: OpenStream, not: readonly unknown[] = []): Promise<{ id: unknown; message: string; params: object }> {
  const asked = await stream.message('the client is asked', ({ method, id }) => method === 'elicitation/create' && !not.includes(id));
  const params = asked['params'] as { message: string };
  return { id: asked['id'], message: params.message, params };
}

const accept = (content: unknown): object => ({ result: { action: 'accept', content } });

describe.each([
  { place: 'the same gateway', at: (): TestGateway => gateways.first },
  { place: 'another gateway', at: (): TestGateway => gateways.second },
])('an answer that arrives at $place', ({ at }) => {
  it.each([
    ['a number for a text', accept({ name: 7 }), '"name"'],
    ['null in a required field', accept({ name: null }), '"name"'],
    ['no content', { result: { action: 'accept' } }, '"name"'],
    ['content that is no object', accept('Ada'), 'content'],
    ['another action', { result: { action: 'perhaps' } }, 'action'],
    ['nothing', { result: null }, 'action'],
  ])('is refused when it has %s: the task asks again on the stream, and gets the right one', async (_what, answer, field) => {
    const taskId = await startTask('ask');
    const stream = await gateways.first.post(session, 7, 'tasks/result', { taskId });
    const asked = await question(stream);
    expect(await at().send(session, { id: asked.id, ...answer })).toBe(202);
    const again = await question(stream, [asked.id]);
    expect(again.params).toEqual({ ...asked.params, message: again.message });
    expect(again.message).toMatch(/^The [^\n]*\.\n\nYour name\?$/);
    expect(again.message).toContain(field);
    await untilStatus(taskId, 'input_required');
    await at().send(session, { id: again.id, ...accept({ name: 'Ada' }) });
    await stream.ended();

    expect(stream.messages().at(-1)).toMatchObject({ id: 7, result: { content: [{ text: 'Hello Ada' }] } });
  });

  it('is asked for again once, also when the client sends the wrong one twice', async () => {
    const taskId = await startTask('ask');
    const stream = await gateways.first.post(session, 7, 'tasks/result', { taskId });
    const asked = await question(stream);
    await at().send(session, { id: asked.id, ...accept({}) });
    await at().send(session, { id: asked.id, ...accept({}) });
    const again = await question(stream, [asked.id]);
    await at().send(session, { id: asked.id, ...accept({}) });
    await at().send(session, { id: again.id, ...accept({ name: 'Ada' }) });
    await stream.ended();

    expect(stream.messages().filter(({ method }) => method === 'elicitation/create')).toHaveLength(2);
  });
});

describe('a client that never answers as it was asked', () => {
  it('is asked a few times by itself; the question stays open, and whoever asks for the result is asked again', async () => {
    const taskId = await startTask('ask');
    const stream = await gateways.first.post(session, 7, 'tasks/result', { taskId });
    const ids: unknown[] = [];
    for (let times = 0; times <= MAX_ASKED_AGAIN; times++) {
      const { id } = await question(stream, ids);
      ids.push(id);
      await gateways.first.send(session, { id, ...accept({ name: false }) });
    }
    await untilStatus(taskId, 'input_required');
    const asked = stream.messages().filter(({ method }) => method === 'elicitation/create');
    stream.hangUp();
    const other = await gateways.second.post(session, 8, 'tasks/result', { taskId });
    const { id, message } = await question(other);
    expect(ids).toContain(id);
    expect(message).toContain('"name"');
    await gateways.second.send(session, { id, ...accept({ name: 'Ada' }) });
    await other.ended();

    expect(asked).toHaveLength(1 + MAX_ASKED_AGAIN);
    expect(other.messages().at(-1)).toMatchObject({ id: 8, result: { content: [{ text: 'Hello Ada' }] } });
  });
});
