/** Tests the rules that hold for a session at any gateway. */
import { CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import type { OpenStream } from '../../support/gateway/stream.js';

let session: RpcSession;

const gateways = gatewaysForTests({ keepAliveMs: 50, patienceMs: 20 });
beforeEach(async () => {
  session = await rpcSession(gateways.first.app);
});

const isQuestion = ({ method }: Record<string, unknown>): boolean => method === 'elicitation/create';
const isStatus = ({ method }: Record<string, unknown>): boolean => method === 'notifications/tasks/status';

async function startTask(name: string): Promise<string> {
  return CreateTaskResultSchema.parse((await session.call('tools/call', { name, task: {} })).result).task.taskId;
}

async function listen(gateway = gateways.first): Promise<OpenStream> {
  const stream = await gateway.get(session);
  expect(stream.response.status).toBe(200);
  await stream.lastEventId();
  return stream;
}

const accept = (question: Record<string, unknown>, name: string) => ({
  id: question['id'],
  result: { action: 'accept', content: { name } },
});

describe('the standalone stream', () => {
  it('is one per session among all gateways, and free again when its client has left', async () => {
    const stream = await listen(gateways.first);
    for (const gateway of [gateways.first, gateways.second]) expect((await gateway.get(session)).response.status).toBe(409);
    stream.hangUp();
    const other = await waitUntil(
      async () => {
        const attempt = await gateways.second.get(session);
        return attempt.response.status === 200 && attempt;
      },
      { description: 'the stream is free' },
    );
    expect((await gateways.first.get(session)).response.status).toBe(409);
    other.hangUp();
  });

  it('is taken from a gateway that has died', async () => {
    const streamId = 'k'.repeat(22);
    const held = { sessionId: session.id, streamId, gatewayId: 'killed', leaseMs: 60_000, maxOpen: 16, requests: [], isStandalone: true };
    await gateways.first.state.heartbeats.beat('killed');
    await gateways.first.state.streams.open(held);
    expect((await gateways.second.get(session)).response.status).toBe(409);
    await gateways.first.state.heartbeats.stop('killed');
    const stream = await listen(gateways.second);
    stream.hangUp();
  });

  it('is resumed at another gateway while the first one still holds it, and carries what changed meanwhile', async () => {
    const first = await listen(gateways.first);
    const talking = await startTask('talk');
    await waitUntil(() => first.messages().filter(isStatus).length === 2, { description: 'both statuses have come' });
    const lastEventId = await first.lastEventId();
    first.hangUp();
    await waitUntil(async () => (await gateways.first.state.streams.read(streamOf(lastEventId), 0)).entries.length > 0, {
      description: 'the log has what was sent',
    });
    const { streamId } = streamOf(lastEventId);
    const isHeld = async () => (await gateways.store.standaloneStream(session.id)) === streamId;
    await waitUntil(async () => !(await isHeld()), { description: 'the hang-up is noticed' });
    await session.call('tasks/cancel', { taskId: talking });
    const second = await gateways.second.get(session, lastEventId);
    await second.message('the end has come', isStatus);

    expect(second.messages().filter(isStatus)).toMatchObject([{ params: { taskId: talking, status: 'cancelled' } }]);
    second.hangUp();
  });

  it('replays at the other gateway what the client has missed', async () => {
    const first = await listen(gateways.first);
    const beginning = await first.lastEventId();
    const taskId = await startTask('talk');
    await waitUntil(() => first.messages().filter(isStatus).length === 2, { description: 'both statuses have come' });
    const second = await gateways.second.get(session, beginning);
    await waitUntil(() => second.messages().length >= first.messages().length, { description: 'all of it is replayed' });
    expect(second.messages()).toEqual(first.messages());
    await first.ended(); // It has noticed, and gets nothing more.
    await session.call('tasks/cancel', { taskId });
    await waitUntil(() => second.messages().filter(isStatus).length === 3, { description: 'the end has come' });
    expect(first.messages().filter(isStatus)).toHaveLength(2);
    second.hangUp();
  });

  function streamOf(eventId: string) {
    return { sessionId: session.id, streamId: eventId.slice(0, 22) };
  }
});

describe('a question of a task', () => {
  it('goes out on the standalone stream of a client that only polls', async () => {
    const standalone = await listen(gateways.second);
    const taskId = await startTask('ask-twice');
    const question = await standalone.message('the task asks', isQuestion);
    expect(question).toMatchObject({ params: { _meta: { 'io.modelcontextprotocol/related-task': { taskId } } } });
    await gateways.first.send(session, accept(question, 'Ada'));
    const second = await standalone.message('the task asks again', (message) => isQuestion(message) && message['id'] !== question['id']);
    await gateways.first.send(session, accept(second, 'Grace'));
    await standalone.message('the end has come', (message) => isStatus(message) && JSON.stringify(message).includes('completed'));

    expect(standalone.messages().filter(isQuestion)).toHaveLength(2);
    standalone.hangUp();
  });

  it('goes out on the stream of a request that waits, and on no other', async () => {
    const standalone = await listen(gateways.second);
    const taskId = await startTask('ask-twice');
    const waiting = await gateways.first.post(session, 1, 'tasks/result', { taskId });
    const alsoWaiting = await gateways.second.post(session, 2, 'tasks/result', { taskId });
    const questions = (): Record<string, unknown>[] =>
      [standalone, waiting, alsoWaiting].flatMap((stream) => stream.messages().filter(isQuestion));
    const first = await waitUntil(() => questions()[0], { description: 'the task asks' });
    // Longer than the standalone stream leaves a question to others: a poll interval of 100 ms and its margin.
    const control = await startTask('ask-twice');
    await standalone.message('it asks for another task', (message) => isQuestion(message) && JSON.stringify(message).includes(control));
    await gateways.first.send(session, accept(first, 'Ada'));
    const second = await waitUntil(
      () => questions().find(({ id, params }) => id !== first['id'] && !JSON.stringify(params).includes(control)),
      {
        description: 'the task asks again',
      },
    );
    await gateways.first.send(session, accept(second, 'Grace'));
    await Promise.all([waiting.ended(), alsoWaiting.ended()]);

    expect(questions().filter(({ params }) => JSON.stringify(params).includes(taskId))).toHaveLength(2);
    expect(standalone.messages().filter((message) => isQuestion(message) && JSON.stringify(message).includes(taskId))).toEqual([]);
    await session.call('tasks/cancel', { taskId: control });
    standalone.hangUp();
  });

  it('is given out again when the stream that had it ends without an answer', async () => {
    const taskId = await startTask('ask-twice');
    const waiting = await gateways.first.post(session, 1, 'tasks/result', { taskId });
    const question = await waiting.message('the task asks', isQuestion);
    const standalone = await listen(gateways.second);
    waiting.hangUp();
    const again = await gateways.second.post(session, 2, 'tasks/result', { taskId });
    expect(await again.message('it is asked again at once, because the client asks', isQuestion)).toEqual(question);
    again.hangUp();
    expect(await standalone.message('it is asked on the other stream after a while', isQuestion)).toEqual(question);
    standalone.hangUp();
    await session.call('tasks/cancel', { taskId });
  });
});

describe('a session that is ended', () => {
  it('is gone at every gateway at once, with its streams, its requests and what was remembered of it', async () => {
    const standalone = await listen(gateways.first);
    const waiting = await gateways.first.post(session, 'w', 'tools/call', { name: 'sleep' });
    const inline = await gateways.first.post(session, 'i', 'tools/call', { name: 'wait-inline' });
    const lastEventId = await waiting.lastEventId();
    await gateways.first.store.sessionState.set(session.id, 'colour', 'red');
    expect(await gateways.second.remove(session)).toBe(200);
    await Promise.all([standalone.ended(), waiting.ended(), inline.ended()]);

    expect(waiting.messages()).toMatchObject([{ id: 'w', error: { code: -32001 } }]);
    expect(inline.messages()).toMatchObject([{ id: 'i', error: { code: -32001 } }]);
    for (const gateway of [gateways.first, gateways.second]) {
      expect((await gateway.post(session, 1, 'ping')).response.status).toBe(404);
      expect((await gateway.get(session)).response.status).toBe(404);
      expect((await gateway.get(session, lastEventId)).response.status).toBe(404);
      expect(await gateway.remove(session)).toBe(404);
    }
    expect(await gateways.second.store.sessionState.get(session.id, 'colour')).toBeUndefined();
  });
});

describe('a flood of streams', () => {
  it('is refused with 429 beyond sixteen, wherever they are', async () => {
    const streams = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        (index % 2 === 0 ? gateways.first : gateways.second).post(session, index, 'tools/call', { name: 'sleep' }),
      ),
    );
    await Promise.all(streams.map((stream) => stream.lastEventId()));
    const tooMany = await gateways.second.post(session, 'more', 'tools/call', { name: 'sleep' });
    await tooMany.ended();
    expect(tooMany.response.status).toBe(429);
    expect(tooMany.response.headers.get('retry-after')).toBe('1');
    expect(JSON.parse(tooMany.text())).toMatchObject({
      id: 'more',
      error: { code: -32000, message: expect.stringContaining('16') as string },
    });
    expect((await gateways.first.get(session)).response.status).toBe(429);
    // What is answered at once needs no stream.
    expect((await session.call('tools/call', { name: 'echo', arguments: { message: 'hi' } })).result).toBeDefined();
    streams[0]?.hangUp();
    const next = await waitUntil(
      async () => {
        const attempt = await gateways.first.get(session);
        return attempt.response.status === 200 && attempt;
      },
      { description: 'there is room for one more' },
    );
    for (const stream of [...streams, next]) stream.hangUp();
  });
});
