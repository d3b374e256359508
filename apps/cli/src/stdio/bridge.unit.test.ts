import { METHODS, type MethodTraits } from '@longhaul/gateway/methods';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { waitUntil } from '../../../../test/support/wait-until.js';
import { answer, type Handler, INITIALIZE, ScriptedGateway, stream } from './scripted-gateway.fixture.js';

let gateway: ScriptedGateway;

beforeEach(() => {
  gateway = ScriptedGateway.create();
});
afterEach(() => gateway.close());

const request = (id: unknown, method = 'tools/call', params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const result = (id: unknown, value: unknown = {}) => ({ jsonrpc: '2.0', id, result: value });
/** The answer to a request, once the client has it. */
const answerTo = (id: unknown) =>
  waitUntil(() => gateway.clientReceived.find((message) => message.id === id && !('method' in message)), {
    description: `${JSON.stringify(id)} is answered: ${JSON.stringify(gateway.clientReceived)}`,
  });
const answered: Handler = ({ response }) => void response.writeHead(404).end();

/** The handler for what comes with a method of HTTP; the standalone stream stays open unless there is one for it. */
const by =
  ({ post, get, head = answered }: { readonly post: Handler; readonly get?: Handler; readonly head?: Handler }): Handler =>
  (received) => {
    if (received.method === 'POST') post(received);
    else if (received.method === 'HEAD') head(received);
    else if (get !== undefined && received.headers['last-event-id'] !== undefined) get(received);
    else stream(received.response);
  };
const echo: Handler = ({ message, response }) => answer(response, result(message?.id, message?.method));

async function opened(post: Handler, get?: Handler): Promise<void> {
  await gateway.listen(by({ post, ...(get !== undefined && { get }) }));
  gateway.open();
}

describe('a message', () => {
  it('carries the session and its revision from initialize on, and the standalone stream is open before what follows', async () => {
    await opened(echo);
    gateway.send(request(1));
    expect(await answerTo(1)).toEqual(result(1, 'tools/call'));
    expect(gateway.received.map(({ method, message }) => message?.method ?? method)).toEqual([
      'initialize',
      'notifications/initialized',
      'GET',
      'tools/call',
    ]);
    const [first, ...others] = gateway.received.map(({ headers }) => [headers['mcp-session-id'], headers['mcp-protocol-version']]);
    expect(first).toEqual([undefined, undefined]);
    for (const headers of others) expect(headers).toEqual(['s-1', '2025-11-25']);
  });

  it('before initialize is refused, but ping is answered', async () => {
    await gateway.listen(by({ post: echo }));
    gateway.send(request(1), request(2, 'ping'), [request(3), request(4)], result(5), INITIALIZE, request(6));
    await answerTo(6);
    const refused = { code: -32600, message: 'Invalid Request: the first request must be initialize' };
    expect(gateway.clientReceived).toMatchObject([
      { id: 1, error: refused },
      { id: 2, result: {} },
      { id: 3, error: refused },
      { id: 4, error: refused },
      { id: 'init' },
      { id: 6 },
    ]);
  });

  it('that is not JSON in UTF-8, or too long, is refused without an id, and the next ones are taken', async () => {
    await opened(echo);
    gateway.send('{oops', Buffer.from('"\xff"', 'latin1'), '', '  ', `"${'x'.repeat(1_000_000)}"`, request(1));
    await answerTo(1);
    expect(gateway.clientReceived.slice(1)).toMatchObject([
      { id: null, error: { code: -32700, message: 'Parse error: Invalid JSON' } },
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600, message: expect.stringContaining('a line has at most') as string } },
      { id: 1 },
    ]);
  });

  it('after shutdown waits for its answer', async () => {
    let wasShutDown = false;
    await opened(({ message, response }) => {
      if (message?.method === 'tools/list') answer(response, result(message.id, wasShutDown));
      else
        setTimeout(() => {
          wasShutDown = true;
          answer(response, result(message?.id));
        }, 30);
    });
    gateway.send(request(1, 'shutdown'), request(2, 'tools/list'));
    expect(await answerTo(2)).toMatchObject({ result: true });
  });

  it('after exit is not taken', async () => {
    await opened(echo);
    gateway.send({ jsonrpc: '2.0', method: 'exit' }, request(1));
    await gateway.ended;
    await gateway.bridge.close(1_000);
    expect(gateway.received.map(({ method, message }) => message?.method ?? method)).not.toContain('tools/call');
    expect(gateway.received.at(-1)?.method).toBe('DELETE');
  });

  it('is one of a hundred at most that the gateway has not begun to answer', async () => {
    const open: (() => void)[] = [];
    await opened(({ message, response }) => open.push(() => answer(response, result(message?.id))));
    gateway.send(...Array.from({ length: 150 }, (_, id) => request(id)));
    await waitUntil(() => open.length === 100, { description: 'a hundred have come' });
    for (const release of open.splice(0)) release();
    await waitUntil(() => open.length === 50, { description: 'the others have come' });
    for (const release of open.splice(0)) release();
    await waitUntil(() => gateway.clientReceived.length === 151, { description: 'all are answered' });
  });
});

describe('an error of HTTP', () => {
  it.each([
    [400, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }, { code: -32600, message: 'no' }],
    [404, { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'no', data: [1] } }, { code: -32001, message: 'no', data: [1] }],
    [503, {}, { code: -32603, message: 'The gateway answered with HTTP status 503.' }],
    [502, 'Bad Gateway', { code: -32603, message: 'The gateway answered with HTTP status 502.' }],
  ])('%i with %j is the answer to the request', async (status, body, error) => {
    await opened(({ response }) => answer(response, body, status));
    gateway.send(request(1));
    expect(await answerTo(1)).toEqual({ jsonrpc: '2.0', id: 1, error });
  });

  it('is the answer to each request of a batch', async () => {
    await opened(({ response }) => answer(response, { error: { code: -32600, message: 'no batches' } }, 400));
    gateway.send([request(1), request(2)]);
    expect(await Promise.all([answerTo(1), answerTo(2)])).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32600 } }]);
  });

  it('to what needs no answer is logged', async () => {
    await opened(({ message, response }) => answer(response, { error: { code: -1, message: `no ${String(message?.id)}` } }, 400));
    gateway.send(result(1));
    await waitUntil(() => gateway.logged.length > 0, { description: 'it is logged' });
    expect(gateway.logged).toEqual(['the gateway has refused a message: no 1']);
    expect(gateway.clientReceived).toHaveLength(1);
  });
});

describe('a gateway that is away', () => {
  it('gets what was sent meanwhile when it is back', async () => {
    await opened(echo);
    gateway.send(request(1));
    await answerTo(1);
    await gateway.die();
    gateway.send(request(2));
    await gateway.listen(by({ post: echo }));
    expect(await answerTo(2)).toEqual(result(2, 'tools/call'));
  });

  it.each([
    ...Object.entries<MethodTraits>(METHODS).map(([method, { isRepeatable = false }]) => [method, isRepeatable] as const),
    ['tools/unheard-of', false] as const,
  ])('and has died over %s gets it again only if that does no harm: %s', async (method, isRepeatable) => {
    const lost = { code: -32603, message: 'The gateway ended before it answered. Call again if that does no harm.' };
    let attempts = 0;
    const post: Handler = (received) => {
      attempts += 1;
      if (attempts === 1) received.response.destroy();
      else echo(received);
    };
    await gateway.listenToAll(by({ post }));
    gateway.send(request(1, method, { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }));
    expect(await answerTo(1)).toMatchObject(isRepeatable ? { result: method } : { error: lost });
    expect(attempts).toBe(isRepeatable ? 2 : 1);
  });
});

describe('a gateway that is dying', () => {
  it('takes no calls any more when the client has received the error for a lost answer', async () => {
    let refusals = 0;
    const dying =
      (then: Handler): Handler =>
      (received) => {
        if (refusals++ < 3) received.response.destroy();
        else then(received);
      };
    await gateway.listen(by({ post: dying(echo), head: dying(answered) }));
    gateway.open();
    gateway.send(request(1));
    expect(await answerTo(1)).toMatchObject({ error: { code: -32603 } });
    gateway.send(request(2));
    expect(await answerTo(2)).toEqual(result(2, 'tools/call'));
  });
});

describe('a stream', () => {
  it('goes on where it broke, as often as need be', async () => {
    const resumed: unknown[] = [];
    await opened(
      ({ response }) => {
        stream(response, { id: 'a' });
        stream(response, { id: 'b', message: { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } } });
        setTimeout(() => response.destroy(), 5);
      },
      ({ headers, response }) => {
        resumed.push(headers['last-event-id']);
        if (resumed.length === 1) answer(response, { error: { code: -32000, message: 'busy' } }, 503);
        else if (resumed.length === 2) response.destroy();
        else {
          stream(response, { id: 'c', message: result(1, 'late') });
          response.end();
        }
      },
    );
    gateway.send(request(1));
    expect(await answerTo(1)).toEqual(result(1, 'late'));
    expect(resumed).toEqual(['b', 'b', 'b']);
    expect(gateway.clientReceived.slice(1)).toMatchObject([{ method: 'notifications/progress' }, { id: 1 }]);
  });

  it.each([
    ['nobody knows', 404, { error: { code: -32001, message: 'Session not found' } }, { code: -32001, message: 'Session not found' }],
    ['has nothing more to come', 204, undefined, { code: -32603, message: expect.stringContaining('before it answered') as string }],
  ])('that %s any more ends with an error', async (_what, status, body, error) => {
    await opened(
      ({ response }) => {
        stream(response, { id: 'a' });
        response.end();
      },
      ({ response }) => (body === undefined ? response.writeHead(status).end() : answer(response, body, status)),
    );
    gateway.send(request(1));
    expect(await answerTo(1)).toMatchObject({ error });
  });

  it('leaves a moment between the last notification and the answer, for clients that would take both together', async () => {
    await opened(({ message, response }) => {
      stream(response, { id: 'a', message: { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } } });
      stream(response, { id: 'b', message: result(message?.id) });
      response.end();
    });
    gateway.send(request(1));
    await answerTo(1);
    const [, notifiedAt = 0, answeredAt = 0] = gateway.clientReceivedAt;
    expect(answeredAt - notifiedAt).toBeGreaterThan(5);
  });

  it('that cannot be resumed ends with an error', async () => {
    await opened(({ response }) => {
      stream(response);
      response.end();
    });
    gateway.send(request(1));
    expect(await answerTo(1)).toMatchObject({ error: { code: -32603 } });
  });

  it('is not resumed when its request has been cancelled', async () => {
    let gets = 0;
    await opened(
      ({ response }) => stream(response, { id: 'a' }),
      () => (gets += 1),
    );
    gateway.send(request(1));
    await waitUntil(() => gateway.received.some(({ message }) => message?.id === 1), { description: 'the request has come' });
    gateway.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await waitUntil(() => gateway.received.some(({ message }) => message?.method === 'notifications/cancelled'), {
      description: 'the cancellation has come',
    });
    for (const { message, response } of gateway.received) if (message?.id === 1) response.end();
    gateway.endInput();
    await gateway.ended;
    await gateway.bridge.close(5_000);
    expect(gets).toBe(0);
    expect(gateway.clientReceived).toHaveLength(1);
  });

  it('of the session is opened again where it broke', async () => {
    let opens = 0;
    await gateway.listen(({ response, headers }) => {
      opens += 1;
      if (opens === 1) {
        stream(response, { id: 'n-1', message: { jsonrpc: '2.0', method: 'notifications/message', params: { data: 1 } } });
        setTimeout(() => response.destroy(), 5);
      } else stream(response, { message: { jsonrpc: '2.0', method: 'notifications/message', params: { data: headers['last-event-id'] } } });
    });
    gateway.open();
    await waitUntil(() => gateway.clientReceived.length === 3, { description: 'both messages have come' });
    expect(gateway.clientReceived.slice(1).map(({ params }) => params)).toEqual([{ data: 1 }, { data: 'n-1' }]);
  });

  it('of the session is done without where there is none', async () => {
    await gateway.listen((received) => {
      if (received.method === 'GET') answer(received.response, {}, 405);
      else echo(received);
    });
    gateway.open();
    gateway.send(request(1));
    await answerTo(1);
    expect(gateway.logged).toEqual(['no more notifications will come: The gateway answered with HTTP status 405.']);
  });
});

describe('revision 2026-07-28', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

  it('needs no initialize', async () => {
    await gateway.listen(echo);
    gateway.send(request(1, 'tools/call', { name: 'echo', _meta }));
    expect(await answerTo(1)).toEqual(result(1, 'tools/call'));
    const headers = gateway.received[0]?.headers;
    expect(headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' });
    expect(headers?.['mcp-session-id']).toBe(undefined);
  });

  it('has its requests cancelled by hanging up, after the gateway has been told why', async () => {
    let hasHungUp = false;
    await gateway.listen(({ response, message }) => {
      if (message?.method === 'notifications/cancelled') return void response.writeHead(202).end();
      stream(response);
      response.once('close', () => (hasHungUp = true));
    });
    gateway.send(request(1, 'tools/call', { name: 'slow', _meta }));
    await waitUntil(() => gateway.received.length === 1, { description: 'the request has come' });
    gateway.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'Request timed out' } });
    await waitUntil(() => hasHungUp, { description: 'the bridge hangs up' });
    expect(gateway.received.slice(1)).toMatchObject([
      {
        headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'notifications/cancelled' },
        message: { params: { requestId: 1, reason: 'Request timed out', _meta } },
      },
    ]);
    expect(gateway.clientReceived).toEqual([]);
  });

  it('receives a cancellation when a subscription has ended with its gateway', async () => {
    await gateway.listen(({ response }) => {
      stream(response, { message: { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {} } });
    });
    gateway.send(request(1, 'subscriptions/listen', { notifications: {}, _meta }));
    await waitUntil(() => gateway.clientReceived.length === 1, { description: 'it is acknowledged' });
    await gateway.die();
    await waitUntil(() => gateway.clientReceived.length === 2, { description: 'the client receives its end' });
    expect(gateway.clientReceived[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } });
  });
});
