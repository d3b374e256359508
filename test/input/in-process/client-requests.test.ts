/** Tests the questions of features in a gateway to their client, and where the answers may arrive. */
import { MAX_ASKED_AGAIN } from '@longhaul/tasks';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askingFeatures, type Question, rejections } from '../../support/gateway/asking-features.js';
import { gatewaysForTests, type TestGateway } from '../../support/gateway/gateways.js';
import { rpcSession, type RpcSession } from '../../support/gateway/rpc.js';

type Message = Record<string, unknown>;

let first: TestGateway;
let second: TestGateway;
let session: RpcSession;

const gateways = gatewaysForTests({ keepAliveMs: 50, patienceMs: 20 }, { features: askingFeatures });
beforeAll(async () => {
  ({ first, second } = gateways);
});
beforeEach(async () => {
  session = await rpcSession(first.app, '2025-11-25', {
    elicitation: { form: {}, url: {} },
    sampling: { tools: {}, context: {} },
    roots: {},
  });
});
afterEach(async () => {
  expect(await first.store.sessionState.names(session.id, '')).toEqual([]);
});

const isRequest = (message: Message): boolean => 'method' in message && 'id' in message;
const message = { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'm' };

/** Each question on the wire, the client's answer, and the feature's result. */
const QUESTIONS: { question: Question; method: string; params: object; result: object; value?: unknown }[] = [
  {
    question: 'form',
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: 'Your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
    result: { action: 'accept', content: { name: 'Ada' } },
  },
  {
    question: 'raw-form',
    method: 'elicitation/create',
    params: {
      message: 'Your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
    result: { action: 'decline' },
  },
  {
    question: 'url',
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Sign in', url: 'https://example.com/sign-in', elicitationId: 'e-1' },
    result: { action: 'accept' },
  },
  {
    question: 'sampling',
    method: 'sampling/createMessage',
    params: { maxTokens: 1000, systemPrompt: 'Be brief.', messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }] },
    result: message,
  },
  {
    question: 'sampling-tools',
    method: 'sampling/createMessage',
    params: {
      maxTokens: 1000,
      tools: [{ name: 'clock', inputSchema: { type: 'object' } }],
      messages: [{ role: 'user', content: { type: 'text', text: 'What time is it?' } }],
    },
    result: { ...message, content: [{ type: 'tool_use', id: '1', name: 'clock', input: {} }], stopReason: 'toolUse' },
  },
  {
    question: 'roots',
    method: 'roots/list',
    params: {},
    result: { roots: [{ uri: 'file:///home' }] },
    value: [{ uri: 'file:///home' }],
  },
  { question: 'ping', method: 'ping', params: {}, result: {}, value: 'nothing' },
];

function call(question: Question, label = ''): [string, object] {
  return ['tools/call', { name: 'asking', arguments: { question, label } }];
}

const KINDS: { kind: string; request: (question: Question) => [string, object]; textIn: (result: never) => string }[] = [
  {
    kind: 'tool',
    request: (question) => call(question),
    textIn: ({ content: [block] }: { content: [{ text: string }] }) => block.text,
  },
  {
    kind: 'prompt',
    request: (question) => ['prompts/get', { name: 'asking', arguments: { question } }],
    textIn: ({ messages: [message] }: { messages: [{ content: { text: string } }] }) => message.content.text,
  },
  {
    kind: 'resource',
    request: (question) => ['resources/read', { uri: `asking://${question}` }],
    textIn: ({ contents: [content] }: { contents: [{ text: string }] }) => content.text,
  },
];

describe.each(KINDS)('a $kind that runs in a gateway', ({ request, textIn }) => {
  it.each(QUESTIONS)('asks by $question, and gets what is answered there', async ({ question, method, params, result, value = result }) => {
    const stream = await first.post(session, 1, ...request(question));
    const asked = await stream.message('the client is asked', isRequest);
    expect(asked).toEqual({ jsonrpc: '2.0', id: asked['id'], method, params });
    expect(await first.send(session, { id: asked['id'], result })).toBe(202);
    await stream.ended();

    const answer = stream.messages().at(-1);
    expect(answer?.['id']).toBe(1);
    expect(JSON.parse(textIn(answer?.['result'] as never))).toEqual(value);
  });

  it.each(QUESTIONS)('asks by $question, and gets what is answered elsewhere', async ({ question, result, value = result }) => {
    const stream = await first.post(session, 1, ...request(question));
    const asked = await stream.message('the client is asked', isRequest);
    expect(await second.send(session, { id: asked['id'], result })).toBe(202);
    await stream.ended();

    expect(JSON.parse(textIn(stream.messages().at(-1)?.['result'] as never))).toEqual(value);
  });
});

describe.each([
  { place: 'the same gateway', at: () => first },
  { place: 'another gateway', at: () => second },
])('an answer that arrives at $place', ({ at }) => {
  it('may be an error, which the feature can catch', async () => {
    const stream = await first.post(session, 1, ...call('form', 'error'));
    const asked = await stream.message('the client is asked', isRequest);
    await at().send(session, { id: asked['id'], error: { code: -1, message: 'user is away', data: { until: 9 } } });
    await stream.ended();

    expect(rejections.get('error')).toMatchObject({
      code: 'INPUT_FAILED',
      data: { code: -1, message: 'user is away', data: { until: 9 } },
    });
    expect(stream.messages().at(-1)).toMatchObject({ id: 1, result: { isError: true, content: [{ text: 'user is away' }] } });
  });

  it.each([
    ['a result of another shape', { result: { action: 'perhaps' } }, 'action'],
    ['a result that is null', { result: null }, 'action'],
    ['an error that is none', { error: 'no' }, 'error'],
    ['an error without a code', { error: { message: 'no' } }, 'code'],
    ['content that does not fit the form', { result: { action: 'accept', content: { name: 7 } } }, '"name"'],
  ])('is asked for again, with the reason, when it is %s', async (_title, answer, field) => {
    const stream = await first.post(session, 1, ...call('raw-form'));
    const asked = await stream.message('the client is asked', isRequest);
    expect(await at().send(session, { id: asked['id'], ...answer })).toBe(202);
    const again = await stream.message('it is asked again', (each) => isRequest(each) && each['id'] !== asked['id']);
    const { message } = again['params'] as { message: string };
    await at().send(session, { id: again['id'], result: { action: 'accept', content: { name: 'Ada' } } });
    await stream.ended();

    expect(message).toMatch(/\n\nYour name\?$/);
    expect(message.split('\n')[0]).toContain(field);
    expect(stream.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: expect.stringContaining('Ada') as string }] } });
  });

  it('is asked for a few times only, and then is an error for the feature', async () => {
    const stream = await first.post(session, 1, ...call('raw-form', 'nonsense'));
    const ids = new Set<unknown>();
    for (let times = 0; times <= MAX_ASKED_AGAIN; times++) {
      const asked = await stream.message('the client is asked', (each) => isRequest(each) && !ids.has(each['id']));
      ids.add(asked['id']);
      await at().send(session, { id: asked['id'], result: { action: 'accept', content: {} } });
    }
    await stream.ended();

    expect(rejections.get('nonsense')).toMatchObject({ code: 'INPUT_FAILED', message: expect.stringContaining('"name"') as string });
  });

  it('of another shape by the model of the client is an error for the feature', async () => {
    const stream = await first.post(session, 1, ...call('sampling', 'shapeless'));
    const asked = await stream.message('the client is asked', isRequest);
    await at().send(session, { id: asked['id'], result: {} });
    await stream.ended();

    const message = expect.stringMatching(/^The client's answer is invalid: .*model/) as string;
    expect(rejections.get('shapeless')).toMatchObject({ code: 'INPUT_FAILED', message });
  });

  it('counts once: of several the first', async () => {
    const stream = await first.post(session, 1, ...call('form'));
    const asked = await stream.message('the client is asked', isRequest);
    const answers = ['Ada', 'Grace', 'Edith'].map((name) =>
      at().send(session, { id: asked['id'], result: { action: 'accept', content: { name } } }),
    );
    expect(await Promise.all(answers)).toEqual([202, 202, 202]);
    await stream.ended();

    expect(stream.messages().filter(({ id }) => id === 1)).toHaveLength(1);
  });

  it('is ignored when it comes from another session', async () => {
    const stranger = await rpcSession(first.app);
    const stream = await first.post(session, 1, ...call('roots'));
    const asked = await stream.message('the client is asked', isRequest);
    expect(await at().send(stranger, { id: asked['id'], result: { roots: [{ uri: 'file:///stranger' }] } })).toBe(202);
    expect(await at().send(session, { id: asked['id'], result: { roots: [] } })).toBe(202);
    await stream.ended();

    expect(stream.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: '[]' }] } });
    expect(await first.store.sessionState.names(stranger.id, '')).toEqual([]);
  });

  it('is ignored when the id is made up, or was changed', async () => {
    const stream = await first.post(session, 1, ...call('roots'));
    const asked = await stream.message('the client is asked', isRequest);
    const [kind, gatewayId, n, signature = ''] = String(asked['id']).split('|');
    for (const id of [
      [kind, gatewayId, Number(n) + 1, signature].join('|'),
      [kind, crypto.randomUUID(), n, signature].join('|'),
      [kind, gatewayId, n, signature.slice(1)].join('|'),
      7,
    ])
      expect(await at().send(session, { id, result: { roots: [{ uri: 'file:///made-up' }] } })).toBe(202);
    await at().send(session, { id: asked['id'], result: { roots: [] } });
    await stream.ended();

    expect(stream.messages().at(-1)).toMatchObject({ id: 1, result: { content: [{ text: '[]' }] } });
  });
});

describe('a client that has not declared what it is asked for', () => {
  beforeEach(async () => {
    session = await rpcSession(first.app, '2025-11-25', { elicitation: {} });
  });

  it.each([
    ['sampling', 'sampling'],
    ['roots', 'roots'],
    ['url', 'elicitation.url'],
  ] as const)('is not asked by %s', async (question, capability) => {
    const { result } = await session.call(...(call(question, question) as [string, Record<string, unknown>]));

    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(`"${capability}"`) as string }] });
    expect(rejections.get(question)).toMatchObject({ code: 'CLIENT_LACKS_CAPABILITY', data: { capability } });
  });

  it.each([
    ['sampling-tools', { context: {} }, 'sampling.tools'],
    ['sampling-context', { tools: {} }, 'sampling.context'],
  ] as const)('is not asked by %s when it has %j only', async (question, sampling, capability) => {
    session = await rpcSession(first.app, '2025-11-25', { sampling });
    const { result } = await session.call(...(call(question, question) as [string, Record<string, unknown>]));

    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(`"${capability}"`) as string }] });
  });

  it('gets an error that names the capability from prompts and resources', async () => {
    for (const { request } of KINDS.slice(1)) {
      const { error } = await session.call(...(request('roots') as [string, Record<string, unknown>]));
      expect(error).toEqual({
        code: -32602,
        message: 'The client has not declared the capability "roots".',
        data: { capability: 'roots' },
      });
    }
  });
});
