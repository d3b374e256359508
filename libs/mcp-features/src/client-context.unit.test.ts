import { MAX_ASKED_AGAIN } from '@longhaul/tasks';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fakeClient, type FakeAnswers } from './testing.js';
import { withClientContext } from './client-context.js';

const capabilities = { elicitation: {}, sampling: {}, roots: {} };

/** A context with a client that answers every question with the given answer, and the questions that it received. */
function answering(answer: object) {
  const asked: unknown[] = [];
  const reply = async (params: unknown): Promise<never> => {
    asked.push(params);
    return answer as never;
  };
  const context = withClientContext(fakeClient({ capabilities, elicit: reply, sample: reply, listRoots: () => reply('roots') }));
  return { asked, context };
}

describe('what a client can do', () => {
  it.each<[FakeAnswers['capabilities'], readonly boolean[]]>([
    [{}, [false, false, false]],
    [{ elicitation: { url: {} } }, [false, false, false]],
    [{ elicitation: {} }, [true, false, false]],
    [{ sampling: {}, roots: {} }, [false, true, true]],
  ])('follows from what it declared: %j', (declared = {}, enabled) => {
    const { elicitEnabled, sampleEnabled, rootsEnabled } = withClientContext(fakeClient({ capabilities: declared }));
    expect([elicitEnabled, sampleEnabled, rootsEnabled]).toEqual(enabled);
  });
});

describe('a form from a schema', () => {
  const form = z.object({ name: z.string(), age: z.int().min(0).max(150) }).describe('Who are you?');
  const accepted: ElicitResult = { action: 'accept', content: { name: 'Ada', age: 36 } };

  it('asks for its fields, with its description or another message', async () => {
    const { asked, context } = answering(accepted);
    expect(await context.elicit(form)).toEqual(accepted);
    await context.elicit(form, 'And you?');
    await context.elicit(z.object({ ok: z.boolean().default(true), name: z.string(), age: z.int() }));
    expect(asked).toMatchObject([
      { mode: 'form', message: 'Who are you?', requestedSchema: { type: 'object', required: ['name', 'age'] } },
      { message: 'And you?', requestedSchema: { properties: { age: { type: 'integer', minimum: 0, maximum: 150 } } } },
      { message: 'Please fill in this form.' },
    ]);
  });

  it.each(['decline', 'cancel'])('may be answered with %s', async (action) => {
    expect(await answering({ action }).context.elicit(form)).toEqual({ action });
  });

  it('is asked again with the reason when the answer does not fit the schema, until it does', async () => {
    const asked: { message: string }[] = [];
    const context = withClientContext(
      fakeClient({
        capabilities,
        elicit: async (params) => {
          asked.push(params);
          return { action: 'accept', content: { code: asked.length < 3 ? 'none' : 'a-1' } };
        },
      }),
    );
    const coded = z.object({ code: z.string().regex(/^a-\d$/, 'must look like a-1') });

    expect(await context.elicit(coded, 'Which?')).toEqual({ action: 'accept', content: { code: 'a-1' } });
    const again = 'code: must look like a-1.\n\nWhich?';
    expect(asked.map(({ message }) => message)).toEqual(['Which?', again, again]);
  });

  it('is asked again a few times only', async () => {
    const { asked, context } = answering({ action: 'accept', content: { name: 'Ada', age: 200 } });
    await expect(context.elicit(form)).rejects.toThrow(/"age"/);
    expect(asked).toHaveLength(1 + MAX_ASKED_AGAIN);
  });

  it('is not sent when it has a field that forms cannot have', async () => {
    const { asked, context } = answering(accepted);
    await expect(context.elicit(z.object({ nested: z.object({}) }))).rejects.toThrow('A form cannot have the field "nested"');
    expect(asked).toEqual([]);
  });

  it('in the words of the protocol is sent as it is, and so is its answer', async () => {
    const answer: ElicitResult = { action: 'accept', content: { anything: 1 } };
    const { asked, context } = answering(answer);
    const params = { message: 'Odd', requestedSchema: { type: 'object' as const, properties: { odd: { type: 'string' as const } } } };
    expect(await context.elicit(params)).toBe(answer);
    expect(asked).toEqual([params]);
  });
});

describe('a form in the words of the protocol', () => {
  const params = {
    message: 'Who?',
    requestedSchema: { type: 'object' as const, properties: { age: { type: 'integer' as const, maximum: 150 } }, required: ['age'] },
  };

  it.each([{ not: { type: 'string' } }, { type: 'string', pattern: '^(a+)+$' }])('is not sent with the field %j', async (field) => {
    const { asked, context } = answering({ action: 'accept', content: {} });
    const odd = { ...params, requestedSchema: { type: 'object', properties: { odd: field } } };
    await expect(context.elicit(odd as never)).rejects.toThrow(/"odd"/);
    expect(asked).toEqual([]);
  });

  it('is not what a URL to open is, of which nothing is checked', async () => {
    const answer = { action: 'accept' };
    const { context } = answering(answer);
    expect(await context.elicit({ mode: 'url', message: 'Go', url: 'https://example.com', elicitationId: 'e' })).toBe(answer);
  });
});

describe('a prompt', () => {
  it('is a message of the user, for at most 1,000 tokens unless said otherwise', async () => {
    const answer = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hello.' } };
    const { asked, context } = answering(answer);
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say hello' } }];
    expect(await context.sample('Say hello')).toBe(answer);
    await context.sample('Say hello', { maxTokens: 7, systemPrompt: 'Be brief.' });
    expect(asked).toEqual([
      { messages, maxTokens: 1_000 },
      { messages, maxTokens: 7, systemPrompt: 'Be brief.' },
    ]);
  });

  it('in the words of the protocol is sent as it is', async () => {
    const { asked, context } = answering({});
    const params = { messages: [], maxTokens: 1 };
    await context.sample(params);
    expect(asked).toEqual([params]);
  });
});

describe('what a client receives', () => {
  it('is its progress: a number is percent', () => {
    const client = fakeClient();
    const context = withClientContext(client);
    context.progress(40);
    context.progress({ progress: 2, total: 3, message: 'Cooking' });
    expect(client.received).toEqual([
      ['progress', { progress: 40, total: 100 }],
      ['progress', { progress: 2, total: 3, message: 'Cooking' }],
    ]);
  });

  it.each(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const)(
    'are messages of level %s',
    (level) => {
      const client = fakeClient();
      const context = withClientContext(client);
      context[level]({ disk: 'full' }, 'store');
      context.log(level, 'text');
      expect(client.received).toEqual([
        ['log', level, { disk: 'full' }, 'store'],
        ['log', level, 'text'],
      ]);
    },
  );

  it('is a warning also by its short name', () => {
    const client = fakeClient();
    withClientContext(client).warn('low');
    expect(client.received).toEqual([['log', 'warning', 'low', undefined]]);
  });
});

describe('a context with conveniences', () => {
  it('has the roots of the client', async () => {
    expect(await answering([{ uri: 'file:///a' }]).context.roots()).toEqual([{ uri: 'file:///a' }]);
  });

  it('keeps what else it had, getters as getters', () => {
    let signal = 'first';
    const operations = Object.defineProperty({ ...fakeClient(), taskId: 'one' }, 'signal', { get: () => signal });
    const context = withClientContext(operations as typeof operations & { readonly signal: string });
    signal = 'second';
    expect(context).toMatchObject({ taskId: 'one', signal: 'second' });
  });
});
