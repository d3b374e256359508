/** Tests calls inside a gateway that end their connection while they continue. */
import { shutDown } from '@longhaul/gateway';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { askingFeatures, gates } from '../../support/gateway/asking-features.js';
import { connectClient } from '../../support/gateway/client.js';
import { gatewaysForTests, startGateways, type TestGateway } from '../../support/gateway/gateways.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import type { OpenStream } from '../../support/gateway/stream.js';

type Message = Record<string, unknown>;

let first: TestGateway;
let second: TestGateway;
let session: RpcSession;

const gateways = gatewaysForTests({ keepAliveMs: 50, patienceMs: 60_000 }, { features: askingFeatures });
beforeAll(async () => {
  ({ first, second } = gateways);
});
beforeEach(async () => {
  session = await rpcSession(first.app);
});

const isRequest = (message: Message): boolean => 'method' in message && 'id' in message;

/** A call with an ended stream, which continues when the gate of its name is opened. */
async function close(name: string, question?: string): Promise<OpenStream> {
  const stream = await first.post(session, name, 'tools/call', { name: 'close-stream', arguments: { name, question } });
  await stream.ended();
  return stream;
}

describe('a stream that its call has closed', () => {
  it('says where to go on, and soon, and ends', async () => {
    const stream = await close('says');

    expect(stream.response.status).toBe(200);
    expect(stream.text()).toMatch(/^retry: 1000\n\nid: [\w-]{22}_0\ndata: \n\nretry: 100\n\n$/);
    gates.get('says')?.();
  });

  it.each([
    ['the same gateway', () => first],
    ['another gateway', () => second],
  ])('is resumed at %s, where the result arrives', async (title, at) => {
    const stream = await close(title);
    const resumed = await at().get(session, await stream.lastEventId());
    await resumed.lastEventId();
    gates.get(title)?.();
    await resumed.ended();

    expect(resumed.messages()).toMatchObject([{ id: title, result: { content: [{ text: 'went on' }] } }]);
  });

  it('has the result when the client comes back after it', async () => {
    const stream = await close('late');
    const lastEventId = await stream.lastEventId();
    gates.get('late')?.();
    const { streams } = first.state;
    const name = { sessionId: session.id, streamId: lastEventId.slice(0, 22) };
    await waitUntil(async () => (await streams.read(name, 0)).isFinished, { description: 'the result is logged' });
    const resumed = await second.get(session, lastEventId);
    await resumed.ended();

    expect(resumed.messages()).toMatchObject([{ id: 'late', result: {} }]);
  });

  it.each([
    ['the same gateway', () => first],
    ['another gateway', () => second],
  ])('carries what the client is asked from then on, resumed at %s', async (title, at) => {
    const name = `asked at ${title}`;
    const stream = await close(name, 'roots');
    const resumed = await at().get(session, await stream.lastEventId());
    gates.get(name)?.();
    const asked = await resumed.message('the client is asked', isRequest);
    expect(asked).toMatchObject({ method: 'roots/list' });
    await second.send(session, { id: asked['id'], result: { roots: [] } });
    await resumed.ended();

    expect(resumed.messages()).toMatchObject([asked, { id: name, result: { content: [{ text: '[]' }] } }]);
  });

  it('carries what the client was asked before it came back', async () => {
    const stream = await close('asked before', 'roots');
    const lastEventId = await stream.lastEventId();
    gates.get('asked before')?.();
    const name = { sessionId: session.id, streamId: lastEventId.slice(0, 22) };
    await waitUntil(async () => (await first.state.streams.read(name, 0)).entries.length > 0, { description: 'the request is logged' });
    const resumed = await second.get(session, lastEventId);
    const asked = await resumed.message('the client is asked', isRequest);
    await first.send(session, { id: asked['id'], result: { roots: [] } });
    await resumed.ended();

    expect(resumed.messages()).toHaveLength(2);
  });

  it('is cancelled while nobody has resumed it: there is nothing to come back for', async () => {
    const stream = await close('cancelled');
    const lastEventId = await stream.lastEventId();
    await second.send(session, { method: 'notifications/cancelled', params: { requestId: 'cancelled' } });
    const name = { sessionId: session.id, streamId: lastEventId.slice(0, 22) };
    await waitUntil(async () => (await first.state.streams.read(name, 0)).isFinished, { description: 'the call is over' });

    expect((await second.get(session, lastEventId)).response.status).toBe(204);
  });
});

describe('a gateway that stops', () => {
  it('lets a call go on whose client is at another gateway by now, within the drain time', async () => {
    const own = await startGateways({ keepAliveMs: 50, drainMs: 10_000 }, { features: askingFeatures });
    session = await rpcSession(own.first.app);
    const stream = await own.first.post(session, 'drained', 'tools/call', {
      name: 'close-stream',
      arguments: { name: 'drained', question: 'roots' },
    });
    await stream.ended();
    const resumed = await own.second.get(session, await stream.lastEventId());
    const stopped = shutDown({ app: own.first.app, drainMs: 10_000, logger: pino({ level: 'silent' }) });
    await waitUntil(() => !own.first.app.server.listening, { description: 'the gateway has closed its connections' });
    gates.get('drained')?.();
    const asked = await resumed.message('the client is asked', isRequest);
    await own.second.send(session, { id: asked['id'], result: { roots: [] } });
    await Promise.all([resumed.ended(), stopped]);

    expect(resumed.messages().at(-1)).toMatchObject({ id: 'drained', result: { content: [{ text: '[]' }] } });
    await own.close();
  });

  it('ends when that time is over, and the client gets an error for the lost answer', async () => {
    const own = await startGateways({ keepAliveMs: 50, drainMs: 50 }, { features: askingFeatures });
    session = await rpcSession(own.first.app);
    const stream = await own.first.post(session, 'lost', 'tools/call', { name: 'close-stream', arguments: { name: 'lost' } });
    await stream.ended();
    const resumed = await own.second.get(session, await stream.lastEventId());
    await shutDown({ app: own.first.app, drainMs: 50, logger: pino({ level: 'silent' }) });
    await resumed.ended();

    expect(resumed.messages()).toMatchObject([{ id: 'lost', error: { code: -32000 } }]);
    await own.close();
  });
});

describe('the stock client', () => {
  it('comes back by itself, answers what it is asked, and gets the result', async () => {
    const { client } = await connectClient(first.url, { roots: {} }, (prepared) => {
      prepared.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home' }] }));
    });
    const calling = client.callTool({ name: 'close-stream', arguments: { name: 'stock', question: 'roots' } });
    await waitUntil(() => gates.has('stock'), { description: 'the stream is closed' });
    gates.get('stock')?.();

    expect(await calling).toMatchObject({ content: [{ text: '[{"uri":"file:///home"}]' }] });
    await client.close();
  });
});

describe('a client that cannot resume', () => {
  it('keeps its stream, and gets the result there', async () => {
    session = await rpcSession(first.app, '2025-06-18');
    const response = first.post(session, 1, 'tools/call', { name: 'close-stream', arguments: { name: 'cannot' } });
    await waitUntil(() => gates.has('cannot'), { description: 'the stream would have been closed' });
    gates.get('cannot')?.();
    const stream = await response;
    await stream.ended();

    expect(JSON.parse(stream.text())).toMatchObject({ id: 1, result: { content: [{ text: 'went on' }] } });
  });
});
