/** Tests the streams of a gateway that is cut off from Redis for a while. */
import type { RedisStore } from '@longhaul/store-redis';
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { redisOf } from '../../support/stores/test-store.js';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { waitUntil } from '../../support/wait-until.js';
import { startGateways, type TestGateways } from '../../support/gateway/gateways.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import { testTools } from '../../support/gateway/tools.js';

/** Lets the running `report` continue. */
let goOn: () => void = () => undefined;

const report = defineTool({
  name: 'report',
  description: 'Reports progress each time that the test lets it',
  input: z.object({}),
  async run(_args, context) {
    for (let progress = 1; progress <= 3; progress++) {
      await new Promise<void>((resolve) => (goOn = resolve));
      context.progress({ progress });
    }
    return 'reported';
  },
});

let proxy: TcpProxy;
let gateways: TestGateways;
let session: RpcSession;

beforeEach(async () => {
  gateways = await startGateways(
    { patienceMs: 200, keepAliveMs: 50 },
    {
      features: createFeatureRegistry([...testTools.features, report]),
      redisOfFirst: async (url) => (proxy = await openTcpProxy(url)).url,
    },
  );
  session = await rpcSession(gateways.first.app);
});
afterEach(async () => {
  proxy.restore();
  await gateways.close();
  await proxy.close();
});

const caller = () => ({ owner: `session:${session.id}` });

/** The tasks behind plain calls. */
async function tasksOfCalls(): Promise<readonly string[]> {
  return (await gateways.store.views()).map(({ taskId }) => taskId);
}

async function taskOfCall(): Promise<string> {
  return waitUntil(async () => (await tasksOfCalls())[0], { description: 'the call has its task' });
}

const keepAlives = (text: string): number => text.split(': keep-alive').length - 1;

async function cutOff(): Promise<void> {
  proxy.cut();
  const { store } = gateways.first;
  await waitUntil(() => 'redis' in store && (store as RedisStore).redis.status !== 'ready', { description: 'the outage is noticed' });
}

describe('a stream that begins while Redis is away', () => {
  it('stays open without an id, and gets its answer', async () => {
    const { first, second } = gateways;
    const called = first.post(session, 1, 'tools/call', { name: 'sleep' });
    const taskId = await taskOfCall();
    await cutOff();
    const stream = await called;
    proxy.restore();
    await first.tasks.patiently(() => first.store.ping());
    const before = keepAlives(stream.text());
    await waitUntil(() => keepAlives(stream.text()) > before + 2, { description: 'it is kept' });
    await second.tasks.cancel(taskId, caller(), 'enough');
    await stream.ended();

    expect(stream.text()).not.toContain('id: ');
    expect(stream.messages()).toMatchObject([{ id: 1, error: { code: -32602, message: 'Task was cancelled: enough' } }]);
  });
});

describe('a message that is logged though the reply is lost', () => {
  it('reaches the client once', async () => {
    const { first } = gateways;
    const stream = await first.post(session, 1, 'tools/call', { name: 'report', _meta: { progressToken: 'p' } });
    const received = () => stream.messages().map(({ params, result }) => (params as { progress?: number } | undefined)?.progress ?? result);
    goOn();
    await waitUntil(() => received().length === 1, { description: 'the first report' });
    proxy.swallowReplies();
    goOn();
    await waitUntil(async () => (await logLength()) === 2, { description: 'the second report is logged' });
    proxy.cut();
    await waitUntil(() => received().length === 2, { description: 'the second report' });
    proxy.restore();
    await first.tasks.patiently(() => first.store.ping());
    goOn();
    await stream.ended();

    expect(received()).toMatchObject([1, 2, 3, { content: [{ text: 'reported' }] }]);
  });

  async function logLength(): Promise<number> {
    const { redis, prefix } = redisOf(gateways.store);
    const key = (await redis.keys(`${prefix}:*`)).find((name) => /:sse:[^:]+$/.test(name));
    return key === undefined ? 0 : redis.xlen(key);
  }
});

describe('while Redis is away', () => {
  it('an answer to a question is held, and taken when it is back', async () => {
    const { first } = gateways;
    const stream = await first.post(session, 1, 'tools/call', { name: 'ask' });
    const question = await stream.message('the call asks', ({ method }) => method === 'elicitation/create');
    await cutOff();
    const answer = { action: 'accept', content: { name: 'Ada' } };
    const sent = first.send(session, { id: question['id'], result: answer });
    await waitUntil(() => keepAlives(stream.text()) > 2, { description: 'time has gone by' });
    proxy.restore();
    await stream.ended();

    expect(await sent).toBe(202);
    expect(stream.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'Hello Ada' }] } });
  });

  it('a client that resumes its stream is held, and gets the rest when it is back', async () => {
    const { first, second } = gateways;
    const stream = await second.post(session, 1, 'tools/call', { name: 'sleep' });
    const lastEventId = await stream.lastEventId();
    const taskId = await taskOfCall();
    await cutOff();
    stream.hangUp();
    const resumed = first.get(session, lastEventId);
    await second.tasks.cancel(taskId, caller(), 'enough');
    proxy.restore();
    await (await resumed).ended();

    expect((await resumed).messages()).toMatchObject([{ id: 1, error: { message: 'Task was cancelled: enough' } }]);
  });

  it('a held request is sent away when the gateway stops', async () => {
    const { first } = gateways;
    const stream = await first.post(session, 1, 'tools/call', { name: 'ask' });
    const question = await stream.message('the call asks', ({ method }) => method === 'elicitation/create');
    await cutOff();
    const sent = first.send(session, { id: question['id'], result: { action: 'cancel' } });
    await waitUntil(() => keepAlives(stream.text()) > 2, { description: 'time has gone by' });
    await first.app.close();

    expect(await sent).toBe(503);
  });
});
