/** Tests requests of inline features to their client if the call, connection, session or gateway ends before the answer arrives. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { askingFeatures, rejections } from '../../support/gateway/asking-features.js';
import { gatewaysForTests, startGateways, type TestGateway } from '../../support/gateway/gateways.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import type { OpenStream } from '../../support/gateway/stream.js';

type Message = Record<string, unknown>;

const settings = { keepAliveMs: 50, patienceMs: 20 };
const isRequest = (message: Message): boolean => 'method' in message && 'id' in message;
const noRoots = (asked: Message) => ({ id: asked['id'], result: { roots: [] } });
const answer = { id: 'call', result: { content: [{ text: '[]' }] } };

/** Calls a tool that asks for the roots. */
async function ask(gateway: TestGateway, session: RpcSession, label = ''): Promise<{ stream: OpenStream; asked: Message }> {
  const stream = await gateway.post(session, 'call', 'tools/call', { name: 'asking', arguments: { question: 'roots', label } });
  return { stream, asked: await stream.message('the client is asked', isRequest) };
}

const rejection = (label: string): Promise<unknown> =>
  waitUntil(() => rejections.get(label), { description: 'the feature has heard of it' });

describe('a request to the client', () => {
  let first: TestGateway;
  let second: TestGateway;
  let session: RpcSession;

  const gateways = gatewaysForTests(settings, { features: askingFeatures });
  beforeAll(async () => {
    ({ first, second } = gateways);
  });
  beforeEach(async () => {
    session = await rpcSession(first.app);
  });

  it('is over with its call, which need not wait for it: a late answer is dropped', async () => {
    const stream = await first.post(session, 1, 'tools/call', { name: 'not-waiting', arguments: { label: 'not-waiting' } });
    const asked = await stream.message('the client is asked', isRequest);
    await stream.ended();
    const statuses = [await first.send(session, noRoots(asked)), await second.send(session, noRoots(asked))];

    expect(stream.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'ended' }] } });
    expect(String(await rejection('not-waiting'))).toContain('roots/list');
    expect(statuses).toEqual([202, 202]);
  });

  it.each([
    ['here', () => first],
    ['at another gateway', () => second],
  ])('is over when its call is cancelled %s: the stream ends without an answer, and a late one is dropped', async (title, at) => {
    const { stream, asked } = await ask(first, session, title);
    expect(await at().send(session, { method: 'notifications/cancelled', params: { requestId: 'call' } })).toBe(202);
    await stream.ended();

    expect(await rejection(title)).toMatchObject({ name: 'AbortError' });
    expect(await at().send(session, noRoots(asked))).toBe(202);
    expect(stream.messages()).toEqual([asked]);
  });

  it.each([
    ['here', () => first],
    ['at another gateway', () => second],
  ])('outlasts the connection: the client comes back %s, answers, and gets the result', async (_title, at) => {
    const { stream, asked } = await ask(first, session);
    const lastEventId = await stream.lastEventId();
    stream.hangUp();
    await stream.ended().catch(() => undefined);
    const resumed = await at().get(session, lastEventId);
    await at().send(session, noRoots(asked));
    await resumed.ended();

    expect(resumed.messages()).toMatchObject([answer]);
  });

  it.each([
    ['here', () => first],
    ['at another gateway', () => second],
  ])('can be answered while no connection is open, %s', async (_title, at) => {
    const { stream, asked } = await ask(first, session);
    const lastEventId = await stream.lastEventId();
    stream.hangUp();
    await at().send(session, noRoots(asked));
    const resumed = await second.get(session, lastEventId);
    await resumed.ended();

    expect(resumed.messages()).toMatchObject([answer]);
  });

  it('that was sent while no connection was open is found by the client that comes back', async () => {
    const { stream, asked } = await ask(first, session);
    const beginning = (await stream.lastEventId()).replace(/_\d+$/, '_0');
    stream.hangUp();
    const resumed = await second.get(session, beginning);

    expect(await resumed.message('the request is sent again', isRequest)).toEqual(asked);
    await first.send(session, noRoots(asked));
    await resumed.ended();
  });

  it.each([
    ['here', () => first],
    ['at another gateway', () => second],
  ])('is over when the session ends %s, and the call gets an error', async (title, at) => {
    const label = `session ended ${title}`;
    const { stream } = await ask(first, session, label);
    await at().remove(session);
    await stream.ended();

    expect(await rejection(label)).toMatchObject({ name: 'AbortError' });
    expect(stream.messages().at(-1)).toMatchObject({ id: 'call', error: { code: -32001, message: 'Session not found' } });
  });
});

describe('a gateway that stops', () => {
  it('waits for the answer, which arrives at another one, and ends then', async () => {
    const gateways = await startGateways(settings, { features: askingFeatures });
    const { first, second } = gateways;
    const session = await rpcSession(first.app);
    const { stream, asked } = await ask(first, session);
    const closed = first.app.close();
    await second.send(session, noRoots(asked));
    await Promise.all([stream.ended(), closed]);

    expect(stream.messages().at(-1)).toMatchObject(answer);
    await gateways.close();
  });

  it('leaves the client that comes back to another one, which says that the answer is lost', async () => {
    const gateways = await startGateways(settings, { features: askingFeatures });
    const { first, second } = gateways;
    const session = await rpcSession(first.app);
    const { stream, asked } = await ask(first, session);
    const lastEventId = await stream.lastEventId();
    const closed = first.app.close();
    first.app.server.closeAllConnections();
    await closed;
    expect(await second.send(session, noRoots(asked))).toBe(202);
    const resumed = await second.get(session, lastEventId);
    await resumed.ended();

    expect(resumed.messages()).toMatchObject([
      { id: 'call', error: { code: -32000, message: expect.stringContaining('has ended') as string } },
    ]);
    await gateways.close();
  });
});
