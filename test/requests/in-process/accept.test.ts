/** Tests clients that do not name both forms of an answer in `Accept`, and clients that write the path with a slash at its end. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { messagesOf } from '../../support/event-stream.js';
import { rawInit, type RawRequest } from '../../support/gateway-2026/raw-request.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { initializeRequest } from '../../support/gateway/rpc.js';

const nameForm = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
const features = createFeatureRegistry([
  defineTool({
    name: 'report',
    description: 'Reports progress, then answers',
    input: z.object({}),
    run: (_args, context) => {
      context.progress({ progress: 1 });
      return 'reported';
    },
  }),
  defineTool({
    name: 'ask',
    description: 'Asks',
    input: z.object({}),
    run: async (_args, context) => (await context.elicit({ message: 'Who?', requestedSchema: nameForm })).action,
  }),
  defineTool({ name: 'work', description: 'Works', input: z.object({}), task: 'optional', run: async () => 'worked' }),
  defineTool({ name: 'fail', description: 'Fails', input: z.object({}), run: () => Promise.reject(new Error('no')) }),
]);
const service = serviceForTests({ features });
let url: string;
beforeAll(async () => {
  url = await service.listen();
});

type Headers = Record<string, string | undefined>;

/** Node's `fetch` sends a header `Accept` in any case; what is undefined here is left out on the way. */
async function send(headers: Headers, body: object, address = url) {
  const given = Object.entries({ 'content-type': 'application/json', ...headers }).filter(
    (header): header is [string, string] => header[1] !== undefined,
  );
  const { pathname, host } = new URL(address);
  const response = await service.app.inject({
    method: 'POST',
    url: pathname,
    headers: { host, ...Object.fromEntries(given) },
    payload: JSON.stringify(body),
  });
  const type = String(response.headers['content-type']).split(';')[0];
  const messages = type === 'text/event-stream' ? messagesOf(response.body) : [response.json<Record<string, unknown>>()];
  return { status: response.statusCode, type, messages, sessionId: response.headers['mcp-session-id'] as string | undefined };
}

interface Asked {
  readonly accept: string | undefined;
  readonly name: string;
  readonly progressToken?: string;
}

/** A call in each protocol version, from opening on. */
const generations: Record<string, (asked: Asked) => ReturnType<typeof send>> = {
  '2025-11-25': async ({ accept, name, progressToken }) => {
    const { sessionId, type, status } = await send({ accept }, initializeRequest());
    expect({ type, status }).toEqual({ type: typeFor(accept), status: 200 });
    const params = { name, arguments: {}, ...(progressToken !== undefined && { _meta: { progressToken } }) };
    return send({ accept, 'mcp-session-id': sessionId }, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  },
  '2026-07-28': ({ accept, name, progressToken }) => {
    const request: RawRequest = { params: { name, arguments: {} }, ...(progressToken !== undefined && { meta: { progressToken } }) };
    const { headers, body } = rawInit('tools/call', request);
    return send({ ...headers, accept }, JSON.parse(body) as object);
  },
};

/** The forms that the client accepts. If it accepts both, a slow answer is a stream. */
function formsOf(accept = ''): readonly string[] {
  const isOne = /^(?:text|application)/i.test(accept);
  return isOne ? [typeFor(accept)] : ['application/json', 'text/event-stream'];
}

/** The form of an answer that could be JSON. */
function typeFor(accept: string | undefined): string {
  return /^text/i.test(accept ?? '') ? 'text/event-stream' : 'application/json';
}

const textOf = (messages: readonly object[]): unknown =>
  (messages.at(-1) as { result?: { content: { text: string }[] } }).result?.content[0]?.text;

describe.each(Object.entries(generations))('in %s', (generation, call) => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'APPLICATION/JSON;charset=utf-8',
    'application/*',
    'text/event-stream',
    'Text/Event-Stream',
    'text/*',
  ])('a client that accepts %j is answered in a form that it accepts', async (accept) => {
    for (const [name, text] of [
      ['work', 'worked'],
      ['fail', 'no'],
    ] as const) {
      const { status, type, messages } = await call({ accept, name });
      expect(status).toBe(200);
      expect(formsOf(accept)).toContain(type);
      expect(messages).toHaveLength(1);
      expect(textOf(messages)).toBe(text);
    }
  });

  it.each([
    ['application/json', 'application/json', 1],
    ['*/*', 'text/event-stream', 2],
    ['text/event-stream', 'text/event-stream', 2],
  ])('progress goes to a client that accepts a stream: %s', async (accept, expected, count) => {
    const { type, messages } = await call({ accept, name: 'report', progressToken: 'p' });
    expect(type).toBe(expected);
    expect(messages).toHaveLength(count);
    expect(textOf(messages)).toBe('reported');
  });

  it('a client that accepts neither is refused', async () => {
    const { headers, body } = rawInit('tools/list');
    const sent =
      generation === '2026-07-28'
        ? send({ ...headers, accept: 'text/html' }, JSON.parse(body) as object)
        : send({ accept: 'text/html' }, initializeRequest());
    expect(await sent).toMatchObject({
      status: 406,
      type: 'application/json',
      messages: [{ error: { message: expect.stringContaining('Not Acceptable') as string } }],
    });
  });
});

describe('a client that accepts JSON only', () => {
  it('cannot be asked on the answer to its call, and its tool hears that', async () => {
    const { messages } = await generations['2025-11-25']!({ accept: 'application/json', name: 'ask' });
    expect(textOf(messages)).toMatch(/takes no event stream/);
  });

  it('cannot listen', async () => {
    const { headers, body } = rawInit('subscriptions/listen', { params: { notifications: { toolsListChanged: true } } });
    expect(await send({ ...headers, accept: 'application/json' }, JSON.parse(body) as object)).toMatchObject({ status: 406 });
    const { sessionId = '' } = await send({}, initializeRequest());
    const response = await service.app.inject({
      method: 'GET',
      url: '/mcp',
      headers: { host: new URL(url).host, accept: 'application/json', 'mcp-session-id': sessionId },
    });
    expect(response.statusCode).toBe(406);
  });
});

describe('the path with a slash at its end', () => {
  it('is that of the endpoint', async () => {
    const { sessionId = '', status } = await send({}, initializeRequest(), `${url}/`);
    expect(status).toBe(200);
    const { headers, body } = rawInit('tools/list');
    expect((await send(headers, JSON.parse(body) as object, `${url}/`)).status).toBe(200);
    const stream = await fetch(`${url}/`, { headers: { 'mcp-session-id': sessionId } });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    await stream.body?.cancel();
    expect((await fetch(`${url}/`, { method: 'DELETE', headers: { 'mcp-session-id': sessionId } })).status).toBe(200);
    expect((await fetch(`${url}/`, { method: 'PUT' })).status).toBe(405);
  });
});
