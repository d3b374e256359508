import { beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { listedFeatures, waiting } from '../../support/gateway/listed-features.js';
import { post, rpcSession, type RpcSession } from '../../support/gateway/rpc.js';

let session: RpcSession;

const service = serviceForTests({ features: listedFeatures, settings: { patienceMs: 20 } });
beforeEach(async () => {
  session = await rpcSession(service.app);
});

const get = (name: string, args?: Record<string, unknown>) =>
  session.call('prompts/get', { name, ...(args !== undefined && { arguments: args }) });

describe('prompts/list', () => {
  it('shows each prompt with its arguments', async () => {
    const { result } = await session.call('prompts/list');

    expect(result).toMatchObject({
      prompts: [
        {
          name: 'greeting',
          title: 'Greeting',
          description: 'Greets someone',
          arguments: [
            { name: 'name', description: 'Who is greeted', required: true },
            { name: 'language', required: false },
          ],
        },
        { name: 'dialogue', description: 'Two messages' },
        { name: 'full' },
        { name: 'needy' },
        { name: 'fault' },
      ],
    });
  });

  it('leaves out what needs more of the client than it offers', async () => {
    session = await rpcSession(service.app, '2025-11-25', {});
    const { result } = await session.call('prompts/list');

    expect(((result?.['prompts'] ?? []) as { name: string }[]).map(({ name }) => name)).toEqual(['greeting', 'dialogue', 'full', 'fault']);
  });
});

describe('prompts/get', () => {
  it.each([
    [
      'a text',
      'greeting',
      { name: 'Ada', language: 'danish' },
      { description: 'Greets someone', messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada in danish.' } }] },
    ],
    [
      'messages',
      'dialogue',
      undefined,
      {
        description: 'Two messages',
        messages: [
          { role: 'user', content: { type: 'text', text: 'Knock, knock.' } },
          { role: 'assistant', content: { type: 'text', text: 'Who is there?' } },
        ],
      },
    ],
    ['a full result', 'full', {}, { description: 'of its own', messages: [], _meta: { mine: true } }],
  ])('answers with %s', async (_title, name, args, result) => {
    expect(await get(name, args)).toMatchObject({ result });
  });

  it.each([
    ['no name', {}, 'name'],
    ['a name that is none', { name: 7 }, 'name'],
    ['arguments that are no texts', { name: 'greeting', arguments: { name: 'Ada', language: 7 } }, 'arguments.language'],
    ['no argument that is required', { name: 'greeting', arguments: {} }, 'name: '],
    ['no arguments at all', { name: 'greeting' }, 'name: '],
    ['an argument that is not allowed', { name: 'greeting', arguments: { name: 'Ada', language: 'klingon' } }, 'language: '],
    ['several wrong arguments', { name: 'greeting', arguments: { name: 'A', language: '' } }, 'name: .*; language: '],
  ])('refuses %s, and names the field', async (_title, params, field) => {
    const { error } = await session.call('prompts/get', params);

    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(new RegExp(`^Invalid .*${field}`)) as string });
  });

  it.each(['no-such', '__proto__', 'constructor', ''])('does not know the prompt "%s"', async (name) => {
    expect(await get(name)).toMatchObject({ error: { code: -32602, message: `Prompt ${name} not found` } });
  });

  it('is refused when the client lacks what the prompt needs', async () => {
    session = await rpcSession(service.app, '2025-11-25', {});

    expect((await get('needy')).error).toMatchObject({ code: -32602, message: expect.stringContaining('roots') as string });
  });

  it.each([
    ['an error', 'error', { code: -32603, message: 'out of cheese' }],
    ['a text', 'text', { code: -32603, message: 'just a text' }],
    ['a JSON-RPC error', 'rpc', { code: -32050, message: 'refused by design', data: { part: 7 } }],
    ['an error with a number', 'coded', { code: -32051, message: 'with a number' }],
    ['a timeout, whose number is none of JSON-RPC', 'timeout', { code: -32603, message: 'too slow' }],
  ])('answers with %s that the prompt throws, in its own words, and logs nothing', async (_title, kind, error) => {
    const logged = service.logs.length;

    expect((await get('fault', { kind })).error).toEqual(error);
    expect(service.logs.slice(logged)).toEqual([]);
  });

  it('answers with an HTTP status when the store does not answer', async () => {
    const params = { name: 'fault', arguments: { kind: 'store' } };
    const response = await post(service.app, { jsonrpc: '2.0', id: 1, method: 'prompts/get', params }, session.headers);

    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('1');
  });

  it('can be cancelled', async () => {
    const known = waiting.length;
    const answer = post(
      service.app,
      { jsonrpc: '2.0', id: 'get', method: 'prompts/get', params: { name: 'fault', arguments: { kind: 'wait' } } },
      session.headers,
    );
    const signal = await waitUntil(() => waiting[known], { description: 'the prompt waits' });
    await post(service.app, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'get' } }, session.headers);

    expect((await answer).body).not.toContain('"id":"get"');
    expect(signal.aborted).toBe(true);
  });
});
