/** Tests streams that continue at another gateway than the one where they began. */
import { CreateTaskResultSchema, RELATED_TASK_META_KEY } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import type { OpenStream } from '../../support/gateway/stream.js';
import { inlineGates } from '../../support/gateway/tools.js';

let session: RpcSession;

const gateways = gatewaysForTests({ keepAliveMs: 50, patienceMs: 20 });
beforeEach(async () => {
  session = await rpcSession(gateways.first.app);
});

const isQuestion = ({ method }: Record<string, unknown>): boolean => method === 'elicitation/create';
const answered = (message: Record<string, unknown>): boolean => 'result' in message || 'error' in message;

async function startTask(name: string, args: object = {}): Promise<string> {
  const { result } = await session.call('tools/call', { name, arguments: args, task: {} });
  return CreateTaskResultSchema.parse(result).task.taskId;
}

const accept = (question: Record<string, unknown>, name: string) => ({
  id: question['id'],
  result: { action: 'accept', content: { name } },
});

/** Cuts the connection as a broken network would, and waits until the gateway could have noticed. */
async function breakOff(stream: OpenStream): Promise<string> {
  const lastEventId = await stream.lastEventId();
  stream.hangUp();
  await stream.ended().catch(() => undefined);
  return lastEventId;
}

describe('a stream that becomes one', () => {
  it('says at once where to go on and when, and gives each message an id of its own', async () => {
    const stream = await gateways.first.post(session, 1, 'tools/call', { name: 'ask' });
    const question = await stream.message('the call asks', isQuestion);
    await gateways.second.send(session, accept(question, 'Ada'));
    await stream.ended();

    expect(stream.text()).toMatch(
      /^retry: 1000\n\nid: ([\w-]{22})_0\ndata: \n\n(: keep-alive\n\n)*event: message\nid: \1_1\ndata: .*\n\n(: keep-alive\n\n)*event: message\nid: \1_2\ndata: .*\n\n$/,
    );
  });

  it('does not say so to a client of an earlier revision, which would take it for a message', async () => {
    session = await rpcSession(gateways.first.app, '2025-06-18');
    const stream = await gateways.first.post(session, 1, 'tools/call', { name: 'ask' });
    await stream.message('the call asks', isQuestion);
    stream.hangUp();

    expect(stream.text()).not.toContain('data: \n');
    expect(await stream.lastEventId()).toMatch(/_1$/);
  });

  it('leaves nothing behind of an answer that was JSON', async () => {
    await session.call('tools/call', { name: 'echo', arguments: { message: 'hi' } });

    const kept = new Set((await gateways.store.ofSession(session.id)).keys());
    // In a data file the session itself names its account.
    kept.delete('account');
    expect([...kept]).toEqual(['session']);
  });
});

describe('a stream of tasks/result, resumed at another gateway', () => {
  it('replays what was missed, asks nothing twice, and delivers the result', async () => {
    const taskId = await startTask('ask');
    const stream = await gateways.first.post(session, 7, 'tasks/result', { taskId });
    const question = await stream.message('the task asks', isQuestion);
    const [beginning] = stream.text().match(/[\w-]{22}_0/) ?? [];
    await breakOff(stream);
    const missed = await gateways.second.get(session, beginning);
    expect(await missed.message('the question is replayed', isQuestion)).toEqual(question);
    await gateways.first.send(session, accept(question, 'Ada'));
    await missed.ended();

    expect(missed.messages()).toHaveLength(2);
    expect(missed.messages()[1]).toMatchObject({
      id: 7,
      result: { content: [{ text: 'Hello Ada' }], _meta: { [RELATED_TASK_META_KEY]: { taskId } } },
    });
  });

  it('does not repeat what the client has', async () => {
    const taskId = await startTask('ask');
    const stream = await gateways.first.post(session, 7, 'tasks/result', { taskId });
    const question = await stream.message('the task asks', isQuestion);
    const again = await gateways.second.get(session, await breakOff(stream));
    await gateways.first.send(session, accept(question, 'Ada'));
    await again.ended();

    expect(again.messages()).toMatchObject([{ id: 7, result: {} }]);
    expect(again.text()).toMatch(/^retry: 1000\n\nid: [\w-]{22}_1\ndata: \n\n/);
  });

  it('is given up by the gateway that served it, though the client never hung up there', async () => {
    const taskId = await startTask('ask');
    const stream = await gateways.first.post(session, 7, 'tasks/result', { taskId });
    const question = await stream.message('the task asks', isQuestion);
    const taken = await gateways.second.get(session, await stream.lastEventId());
    await gateways.first.send(session, accept(question, 'Ada'));
    await Promise.all([taken.ended(), stream.ended()]);

    expect([...stream.messages(), ...taken.messages()].filter(answered)).toHaveLength(1);
    expect(taken.messages()).toMatchObject([{ id: 7, result: {} }]);
  });

  it('can be resumed again and again, also at the same gateway', async () => {
    const taskId = await startTask('ask');
    let stream = await gateways.first.post(session, 7, 'tasks/result', { taskId });
    const question = await stream.message('the task asks', isQuestion);
    for (const gateway of [gateways.second, gateways.second, gateways.first]) stream = await gateway.get(session, await breakOff(stream));
    await gateways.second.send(session, accept(question, 'Ada'));
    await stream.ended();

    expect(stream.messages()).toMatchObject([{ id: 7, result: {} }]);
  });

  it('carries questions that come only then', async () => {
    const taskId = await startTask('ask-twice');
    const stream = await gateways.first.post(session, 7, 'tasks/result', { taskId });
    const first = await stream.message('the task asks', isQuestion);
    const again = await gateways.second.get(session, await breakOff(stream));
    await gateways.first.send(session, accept(first, 'Ada'));
    const second = await again.message('the task asks again', isQuestion);
    expect(second['id']).not.toBe(first['id']);
    await gateways.first.send(session, accept(second, 'Grace'));
    await again.ended();

    expect(again.messages().at(-1)).toMatchObject({ id: 7, result: { content: [{ text: 'Hello Ada and Grace' }] } });
  });

  it('ends for good: what is finished is replayed once, and then there is no content', async () => {
    const taskId = await startTask('sleep');
    const stream = await gateways.first.post(session, 7, 'tasks/result', { taskId });
    const beginning = await stream.lastEventId();
    await session.call('tasks/cancel', { taskId });
    await stream.ended();
    const replayed = await gateways.second.get(session, beginning);
    await replayed.ended();
    const over = await gateways.second.get(session, await replayed.lastEventId());

    expect(replayed.messages()).toEqual(stream.messages());
    expect(over.response.status).toBe(204);
  });
});

describe('a plain call of a durable tool', () => {
  it('goes on at another gateway, and is cancelled there too', async () => {
    const stream = await gateways.first.post(session, 'call', 'tools/call', { name: 'ask' });
    const question = await stream.message('the call asks', isQuestion);
    const again = await gateways.second.get(session, await breakOff(stream));
    await gateways.first.send(session, { method: 'notifications/cancelled', params: { requestId: 'call' } });
    await again.ended();

    expect(again.messages()).toEqual([]);
    await waitUntil(() => isCancelled(question), { description: 'the task is cancelled' });
  });
});

describe('a plain call that is cancelled while no gateway serves it', () => {
  it('is cancelled as soon as one does', async () => {
    const stream = await gateways.first.post(session, 'call', 'tools/call', { name: 'ask' });
    const question = await stream.message('the call asks', isQuestion);
    const lastEventId = await breakOff(stream);
    await waitUntil(() => isFree(lastEventId), { description: 'the hang-up is noticed' });
    await gateways.first.send(session, { method: 'notifications/cancelled', params: { requestId: 'call' } });
    const again = await gateways.second.get(session, lastEventId);
    await again.ended();

    expect(again.messages()).toEqual([]);
    await waitUntil(() => isCancelled(question), { description: 'the task is cancelled' });
  });

  async function isFree(eventId: string): Promise<boolean> {
    return !(await gateways.store.openStreams(session.id)).includes(eventId.slice(0, 22));
  }
});

async function isCancelled(question: Record<string, unknown>): Promise<boolean> {
  const taskId = String(question['id']).split('|')[1] ?? '';
  const { view } = await gateways.first.tasks.getOfCall(taskId, { owner: `session:${session.id}` });
  return view.ending?.kind === 'cancelled';
}

describe('a call that runs inside a gateway', () => {
  it('goes on when the client hangs up, and its answer comes through another gateway', async () => {
    const stream = await gateways.first.post(session, 'in', 'tools/call', { name: 'release-inline', arguments: { name: 'one' } });
    const again = await gateways.second.get(session, await breakOff(stream));
    inlineGates.get('one')?.('done meanwhile');
    await again.ended();

    expect(again.messages()).toMatchObject([{ id: 'in', result: { content: [{ text: 'done meanwhile' }] } }]);
  });

  it('has its answer replayed when it came while nobody listened', async () => {
    const stream = await gateways.first.post(session, 'in', 'tools/call', { name: 'release-inline', arguments: { name: 'two' } });
    const lastEventId = await breakOff(stream);
    inlineGates.get('two')?.('nobody there');
    const name = { sessionId: session.id, streamId: lastEventId.replace(/_0$/, '') };
    const logged = async () => (await gateways.first.state.streams.read(name, 0)).entries.length > 0;
    await waitUntil(logged, { description: 'the answer is logged' });
    const again = await gateways.second.get(session, lastEventId);
    await again.ended();

    expect(again.messages()).toMatchObject([{ id: 'in', result: { content: [{ text: 'nobody there' }] } }]);
  });

  it('is answered with an error when its gateway has died', async () => {
    const streamId = 'd'.repeat(22);
    const { streams } = gateways.first.state;
    await streams.open({
      sessionId: session.id,
      streamId,
      gatewayId: 'killed',
      leaseMs: 60_000,
      maxOpen: 16,
      requests: [{ id: 'in' }],
      isStandalone: false,
    });
    const stream = await gateways.second.get(session, `${streamId}_0`);
    await stream.ended();

    expect(stream.messages()).toMatchObject([
      { id: 'in', error: { code: -32000, message: expect.stringContaining('has ended') as string } },
    ]);
  });

  it('ends on the resumed stream without an answer when it is cancelled', async () => {
    const stream = await gateways.first.post(session, 'in', 'tools/call', { name: 'wait-inline' });
    const again = await gateways.second.get(session, await breakOff(stream));
    await gateways.second.send(session, { method: 'notifications/cancelled', params: { requestId: 'in' } });
    await again.ended();

    expect(again.messages()).toEqual([]);
  });

  it('is cancelled through another gateway', async () => {
    const stream = await gateways.first.post(session, 'in', 'tools/call', { name: 'wait-inline' });
    expect(await gateways.second.send(session, { method: 'notifications/cancelled', params: { requestId: 'in' } })).toBe(202);
    await stream.ended();

    expect(stream.messages()).toEqual([]);
  });
});

describe('a stream whose log has been trimmed behind what its client has', () => {
  it('says first how many messages are lost, and then goes on with all that are left', async () => {
    const stream = await gateways.first.post(session, 1, 'tools/call', { name: 'chatter', arguments: { name: 'lost', messages: 1_300 } });
    await waitUntil(() => stream.text().includes('"data":1300'), { description: 'all is said' });
    const [beginning] = stream.text().match(/[\w-]{22}_0/) ?? [];
    await breakOff(stream);
    const resumed = await gateways.second.get(session, beginning);
    await waitUntil(() => inlineGates.get('lost'), { description: 'the call waits' });
    inlineGates.get('lost')?.('heard');
    await resumed.ended();

    const [notice, first, ...rest] = resumed.messages() as { id?: number; params?: { data: unknown } }[];
    const lost = Number(first?.params?.data) - 1;
    expect(lost).toBeGreaterThan(0);
    expect(notice).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: {
        level: 'error',
        logger: 'longhaul',
        data: `${lost} messages of this stream are lost: the log from which it was resumed does not reach back so far.`,
      },
    });
    expect(rest.map(({ params }) => params?.data)).toEqual([...Array.from({ length: 1_299 - lost }, (_, at) => lost + 2 + at), undefined]);
    expect(rest.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'heard' }] } });
  });
});

describe('an event id', () => {
  it.each([
    ['that is none', () => 'nonsense'],
    ['that is made up', () => `${'a'.repeat(22)}_1`],
    ['of another session', async () => (await ofStranger()).lastEventId()],
    ['beyond the last event', async () => (await (await ofMine()).lastEventId()).replace(/_0$/, '_5')],
  ])('%s is refused in the same words', async (_title, id) => {
    const refused = await gateways.second.get(session, await id());

    expect(refused.response.status).toBe(400);
    await refused.ended();
    expect(JSON.parse(refused.text())).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32000, message: 'Bad Request: Last-Event-ID names no event of this session that can be resumed' },
    });
  });

  async function ofMine(): Promise<OpenStream> {
    return gateways.first.post(session, 1, 'tools/call', { name: 'sleep' });
  }

  async function ofStranger(): Promise<OpenStream> {
    const stranger = await rpcSession(gateways.first.app);
    return gateways.first.post(stranger, 1, 'tools/call', { name: 'sleep' });
  }
});
