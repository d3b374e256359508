/** Tests subscriptions to resources, and the notifications of features on standalone streams, at any gateway. */
import { SUBSCRIPTIONS, subscriptionTo } from '@longhaul/sessions';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { messagesOf } from '../../support/event-stream.js';
import { waitUntil } from '../../support/wait-until.js';
import { changeFeatures } from '../../support/gateway/change-features.js';
import { gatewaysForTests, type TestGateway } from '../../support/gateway/gateways.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';
import type { OpenStream } from '../../support/gateway/stream.js';

let first: TestGateway;
let second: TestGateway;
let session: RpcSession;

const gateways = gatewaysForTests({ keepAliveMs: 50, patienceMs: 20 }, { features: changeFeatures });
beforeAll(async () => {
  ({ first, second } = gateways);
});
beforeEach(async () => {
  session = await rpcSession(first.app);
});

const subscribe = (uri: string, at: RpcSession = session) => at.call('resources/subscribe', { uri });
const change = (...uris: string[]) => session.call('tools/call', { name: 'change', arguments: { uris } });
const changeList = (list: string, isForEveryone: boolean) =>
  session.call('tools/call', { name: 'change-list', arguments: { list, isForEveryone } });

async function listen(of: RpcSession, gateway: TestGateway): Promise<OpenStream> {
  const stream = await gateway.get(of);
  expect(stream.response.status).toBe(200);
  return stream;
}

const updated = (uri: string) => ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });

/** The messages up to the next change of the list of prompts; every client receives a notification of that change. */
async function receivedOn(...streams: OpenStream[]): Promise<unknown[][]> {
  await changeList('prompts', true);
  await Promise.all(
    streams.map((stream) => stream.message('the end has come', ({ method }) => method === 'notifications/prompts/list_changed')),
  );
  return streams.map((stream) =>
    stream
      .messages()
      .filter(({ method }) => method !== 'notifications/tools/list_changed' && method !== 'notifications/prompts/list_changed'),
  );
}

describe('resources/subscribe', () => {
  it('holds at every gateway, however often it is asked for, until the client unsubscribes', async () => {
    expect((await subscribe('feed://a')).result).toEqual({});
    expect((await subscribe('feed://b', second.use(session))).result).toEqual({});
    expect((await subscribe('feed://a', second.use(session))).result).toEqual({});
    const subscriptions = async () => (await second.use(session).call('tools/call', { name: 'subscriptions' })).result;
    expect(await subscriptions()).toMatchObject({ content: [{ text: '["feed://a","feed://b"]' }] });
    expect((await second.use(session).call('resources/unsubscribe', { uri: 'feed://a' })).result).toEqual({});
    expect((await session.call('resources/unsubscribe', { uri: 'feed://never' })).result).toEqual({});

    expect(await subscriptions()).toMatchObject({ content: [{ text: '["feed://b"]' }] });
  });

  it.each([
    ['none', {}, 'uri'],
    ['that is no text', { uri: 7 }, 'uri'],
    ['that is no URI', { uri: 'no uri' }, 'must be a URI'],
  ])('refuses a URI %s, and names the field', async (_title, params, message) => {
    for (const method of ['resources/subscribe', 'resources/unsubscribe'])
      expect((await session.call(method, params)).error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(new RegExp(`^Invalid params: uri: .*${message === 'uri' ? '' : message}`)) as string,
      });
  });

  it('takes the longest URI that is allowed', async () => {
    expect((await subscribe(`feed://${'x'.repeat(FIELD_LIMITS.uriBytes - 'feed://'.length)}`)).result).toEqual({});
  });

  it('takes so many bytes of URIs in one session, and names the limit', async () => {
    const { sessionState } = first.store;
    const { subscriptionBytes, uriBytes } = FIELD_LIMITS;
    const uris = Array.from({ length: subscriptionBytes / uriBytes }, (_, n) => `feed://${n}/`.padEnd(uriBytes, 'x'));
    await Promise.all(uris.slice(1).map((uri) => sessionState.set(session.id, subscriptionTo(uri), true)));
    expect((await subscribe(uris[0] ?? '')).result).toEqual({});
    expect((await subscribe(uris[0] ?? '')).result).toEqual({});
    expect((await subscribe('feed://more')).error).toEqual({
      code: -32602,
      message: `The URIs that a session is subscribed to may have at most ${subscriptionBytes} bytes together.`,
    });
  });

  it('is bounded, and names the limit', async () => {
    const { sessionState } = first.store;
    await Promise.all(Array.from({ length: 999 }, (_, n) => sessionState.set(session.id, subscriptionTo(`feed://${n}`), true)));
    expect((await subscribe('feed://last')).result).toEqual({});
    expect((await subscribe('feed://more')).error).toEqual({
      code: -32602,
      message: 'A session can subscribe to at most 1000 resources.',
    });
    expect((await subscribe('feed://7')).result).toEqual({});
    await session.call('resources/unsubscribe', { uri: 'feed://7' });
    expect((await subscribe('feed://more')).result).toEqual({});

    expect(await sessionState.names(session.id, SUBSCRIPTIONS)).toHaveLength(1_000);
  });
});

describe('a changed resource', () => {
  it('is sent to exactly the sessions that have subscribed, at any gateway', async () => {
    const sessions = await Promise.all([1, 2, 3, 4].map(() => rpcSession(first.app)));
    const [here, there, elsewhere, never] = sessions as [RpcSession, RpcSession, RpcSession, RpcSession];
    await subscribe('feed://x', here);
    await subscribe('feed://x', there);
    await subscribe('feed://y', elsewhere);
    const streams = [await listen(here, first), await listen(there, second), await listen(elsewhere, second), await listen(never, second)];
    await change('feed://x');

    expect(await receivedOn(...streams)).toEqual([[updated('feed://x')], [updated('feed://x')], [], []]);
    for (const stream of streams) stream.hangUp();
  });

  it('is sent no longer when the session has unsubscribed, though its stream is open', async () => {
    const stream = await listen(session, second);
    await subscribe('feed://x');
    await subscribe('feed://y');
    await session.call('resources/unsubscribe', { uri: 'feed://x' });
    await change('feed://x', 'feed://y');

    expect(await receivedOn(stream)).toEqual([[updated('feed://y')]]);
    stream.hangUp();
  });

  it('is sent no longer when the session has ended', async () => {
    const other = await rpcSession(first.app);
    await subscribe('feed://x', other);
    await first.remove(other);

    expect(await first.store.sessionState.names(other.id, '')).toEqual([]);
  });
});

describe('a changed list', () => {
  it('is sent to every session, or to one', async () => {
    const other = await rpcSession(second.app);
    const streams = [await listen(session, first), await listen(other, second)];
    await changeList('resources', false);
    await changeList('resources', true);
    const changed = { jsonrpc: '2.0', method: 'notifications/resources/list_changed', params: {} };

    expect(await receivedOn(...streams)).toEqual([[changed, changed], [changed]]);
    for (const stream of streams) stream.hangUp();
  });
});

describe('a standalone stream', () => {
  it('carries notifications in their order, also when more has to be looked up for some', async () => {
    const stream = await listen(session, second);
    const { sessionNotifications } = first.store;
    const log = (data: number) => ({ method: 'notifications/message', params: { level: 'info', data } });
    const changed = { method: 'notifications/resources/list_changed', params: {} };
    for (let n = 0; n < 20; n++)
      await Promise.all([sessionNotifications.publish(session.id, log(n)), sessionNotifications.publish(session.id, changed)]);

    const [received = []] = await receivedOn(stream);
    expect(received).toEqual(
      Array.from({ length: 20 }, (_, n) => [log(n), changed].map((message) => ({ jsonrpc: '2.0', ...message }))).flat(),
    );
    stream.hangUp();
  });

  it('leaves no listener behind, however soon its client hangs up, also while it is resumed', async () => {
    const stream = await listen(session, first);
    const lastEventId = await stream.lastEventId();
    for (let n = 0; n < 40; n++) {
      const hangUp = new AbortController();
      const headers = { accept: 'text/event-stream', ...session.headers, 'last-event-id': lastEventId };
      const resuming = fetch((n % 2 === 0 ? second : first).url, { headers, signal: hangUp.signal });
      // At another moment each time.
      for (let turns = 0; turns < n; turns++) await new Promise(setImmediate);
      hangUp.abort();
      await resuming.catch(() => undefined);
    }
    stream.hangUp();

    await waitUntil(async () => (await gateways.store.channelsOf(session.id)) === 0, { description: 'nobody listens any more' });
  });
});

describe('a stream that another gateway takes over', () => {
  it('carries everything once, though the first one never noticed', async () => {
    await subscribe('feed://x');
    const stream = await listen(session, first);
    const taken = await second.get(session, await stream.lastEventId());
    await taken.lastEventId();
    await change('feed://x');

    expect(await receivedOn(taken)).toEqual([[updated('feed://x')]]);
    expect(stream.messages().filter(({ method }) => method === 'notifications/resources/updated')).toEqual([]);
    taken.hangUp();
  });

  it('replays what was sent on it, and repeats nothing that the client has', async () => {
    for (const uri of ['feed://1', 'feed://2', 'feed://3']) await subscribe(uri);
    const stream = await listen(session, first);
    await change('feed://1');
    await stream.message('the first change has come', ({ method }) => method === 'notifications/resources/updated');
    const lastEventId = await stream.lastEventId();
    await change('feed://2');
    await stream.message('the second change has come', ({ params }) => (params as { uri?: string }).uri === 'feed://2');
    const taken = await second.get(session, lastEventId);
    await taken.message('the second change is replayed', ({ params }) => (params as { uri?: string }).uri === 'feed://2');
    await change('feed://3');

    expect(await receivedOn(taken)).toEqual([[updated('feed://2'), updated('feed://3')]]);
    taken.hangUp();
  });

  it('carries nothing twice while it is taken over again and again', async () => {
    const uris = Array.from({ length: 60 }, (_, n) => `feed://${n}`);
    for (const uri of uris) await subscribe(uri);
    let stream = await listen(session, first);
    const seen: unknown[] = [];
    for (const [index, uri] of uris.entries()) {
      await change(uri);
      if (index % 10 !== 9) continue;
      const before = stream;
      // The last ones of ten are on their way.
      await before.message('most of them have come', ({ params }) => (params as { uri?: string }).uri === uris[index - 2]);
      const lastEventId = await before.lastEventId();
      stream = await (index % 20 === 9 ? second : first).get(session, lastEventId);
      seen.push(...before.messages().slice(0, indexOf(before, lastEventId)));
    }
    const [rest = []] = await receivedOn(stream);
    const updates = [...seen, ...rest]
      .map((message) => (message as { params: { uri?: string } }).params.uri)
      .filter((uri) => uri !== undefined);

    expect(new Set(updates).size).toBe(updates.length);
    expect(updates.length).toBeGreaterThan(40);
    stream.hangUp();
  });
});

/** How many messages have come up to the event. */
function indexOf(stream: OpenStream, eventId: string): number {
  const end = stream.text().indexOf(`id: ${eventId}\n`);
  return messagesOf(stream.text().slice(0, end)).length + 1;
}
