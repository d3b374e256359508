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

const greeting = { type: 'ref/prompt', name: 'greeting' };
const city = { type: 'ref/resource', uri: 'city://{country}/{name}' };

const complete = (ref: object, name: string, value: string, given?: object) =>
  session.call('completion/complete', { ref, argument: { name, value }, ...(given !== undefined && { context: { arguments: given } }) });

const none = { completion: { values: [], total: 0, hasMore: false } };

describe('completion/complete', () => {
  it.each([
    ['what is typed so far', 'd', ['danish', 'dutch']],
    ['nothing yet', '', ['danish', 'dutch', 'english', 'estonian']],
    ['what leads nowhere', 'x', []],
  ])('completes an argument of a prompt from %s', async (_title, value, values) => {
    const { result } = await complete(greeting, 'language', value);

    expect(result).toEqual({ completion: { values, total: values.length, hasMore: false } });
  });

  it('takes the arguments into account that are filled in already', async () => {
    expect((await complete(greeting, 'name', 'A', { language: 'danish' })).result).toMatchObject({
      completion: { values: ['A in danish'] },
    });
    expect((await complete(greeting, 'name', 'A')).result).toMatchObject({ completion: { values: ['A in no language'] } });
    expect((await complete(city, 'name', 'P', { country: 'France' })).result).toMatchObject({ completion: { values: ['P of France'] } });
  });

  it('gives the first hundred values, and says how many there are', async () => {
    const { result } = await complete(city, 'country', '');
    const { completion } = result as { completion: { values: string[] } };

    expect(completion).toMatchObject({ total: 250, hasMore: true });
    expect([completion.values.length, completion.values[0], completion.values[99]]).toEqual([100, 'country 0', 'country 99']);
  });

  it.each([
    ['an argument without completions', { type: 'ref/prompt', name: 'dialogue' }, 'language'],
    ['an argument that there is none of', greeting, 'no-such'],
    ['an argument that is called like something else', greeting, 'toString'],
    ['an argument that is called like something else', greeting, 'constructor'],
    ['an argument that is called like something else', city, '__proto__'],
    ['a resource that is of no template', { type: 'ref/resource', uri: 'note://text' }, 'x'],
    ['a variable of a template without completions', { type: 'ref/resource', uri: 'hidden://{x}' }, 'x'],
  ])('has nothing for %s', async (_title, ref, name) => {
    expect((await complete(ref, name, 'a')).result).toEqual(none);
  });

  it.each([
    ['a prompt that there is none of', { type: 'ref/prompt', name: 'no-such' }, 'Prompt no-such not found'],
    ['a template that there is none of', { type: 'ref/resource', uri: 'no://{such}' }, 'Resource template no://{such} not found'],
  ])('does not know %s', async (_title, ref, message) => {
    expect((await complete(ref, 'a', '')).error).toEqual({ code: -32602, message });
  });

  it.each([
    ['ref', { argument: { name: 'a', value: '' } }],
    ['ref.type', { ref: { type: 'ref/other' }, argument: { name: 'a', value: '' } }],
    ['ref.name', { ref: { type: 'ref/prompt' }, argument: { name: 'a', value: '' } }],
    ['ref.uri', { ref: { type: 'ref/resource', name: 'greeting' }, argument: { name: 'a', value: '' } }],
    ['argument', { ref: greeting }],
    ['argument.value', { ref: greeting, argument: { name: 'a', value: 7 } }],
    ['context.arguments.b', { ref: greeting, argument: { name: 'a', value: '' }, context: { arguments: { b: 7 } } }],
  ])('refuses a wrong %s, and names it', async (field, params) => {
    const { error } = await session.call('completion/complete', params);

    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`Invalid params: ${field}: `) as string });
  });

  it.each([
    ['an error', 'error', { code: -32603, message: 'out of cheese' }],
    ['a JSON-RPC error', 'rpc', { code: -32050, message: 'refused by design', data: { part: 7 } }],
  ])('answers with %s that the completion throws, in its own words', async (_title, kind, error) => {
    expect((await complete({ type: 'ref/prompt', name: 'fault' }, 'kind', kind)).error).toEqual(error);
  });

  it('can be cancelled', async () => {
    const known = waiting.length;
    const params = { ref: { type: 'ref/prompt', name: 'fault' }, argument: { name: 'kind', value: 'wait' } };
    const answer = post(service.app, { jsonrpc: '2.0', id: 'complete', method: 'completion/complete', params }, session.headers);
    const signal = await waitUntil(() => waiting[known], { description: 'the completion waits' });
    await post(service.app, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'complete' } }, session.headers);

    expect((await answer).body).not.toContain('"id":"complete"');
    expect(signal.aborted).toBe(true);
  });
});
