/** Tests features that answer within the request and ask their client: over several requests, each at another gateway. */
import { beforeAll, describe, expect, it } from 'vitest';
import { gatewaysForTests, startGateways } from '../../support/gateway/gateways.js';
import { modernFeatures } from '../../support/gateway-2026/features.js';
import { runs } from '../../support/gateway-2026/inline-features.js';
import { type Answer, type ModernClient, modernClient, PLAIN_CLIENT } from '../../support/gateway-2026/modern-client.js';
import { again, type Asked, askedBy, messagesOf, textOf } from '../../support/gateway-2026/rounds.js';
import { accept } from '../../support/gateway-2026/task-client.js';

let here: ModernClient;
let there: ModernClient;

const gateways = gatewaysForTests({}, { features: modernFeatures });
beforeAll(async () => {
  here = modernClient(gateways.first, PLAIN_CLIENT);
  there = here.at(gateways.second);
});

describe('a tool that asks in turn', () => {
  it('gets one answer after the other, and then answers itself', async () => {
    const first = askedBy(await here.tool('in-turn'));
    expect(first.inputRequests).toEqual({
      elicit: {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'You, about work?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      },
    });
    const second = askedBy(await there.tool('in-turn', {}, again(first, { elicit: accept({ name: 'Ada' }) })));
    expect(Object.keys(second.inputRequests)).toEqual(['elicit-2']);
    expect(messagesOf(second)).toEqual(['A friend of Ada?']);
    expect(second.requestState).not.toBe(first.requestState);
    const last = await here.tool('in-turn', {}, again(second, { 'elicit-2': accept({ name: 'Grace' }) }));

    expect(last.result).toMatchObject({ resultType: 'complete' });
    expect(textOf(last)).toBe('Ada and Grace');
  });

  it('ends when its user declines', async () => {
    const first = askedBy(await here.tool('in-turn'));

    expect(textOf(await there.tool('in-turn', {}, again(first, { elicit: { action: 'decline' } })))).toBe('No name: decline');
  });

  it('runs once for each state: a client that repeats one gets what came of it, even with another answer', async () => {
    const first = askedBy(await here.tool('in-turn'));
    const began = runs.get('in-turn') ?? 0;
    const ada = askedBy(await there.tool('in-turn', {}, again(first, { elicit: accept({ name: 'Ada' }) })));
    const bob = askedBy(await here.tool('in-turn', {}, again(first, { elicit: accept({ name: 'Bob' }) })));
    expect(bob).toEqual(ada);
    const [last, repeated] = await Promise.all(
      [here, there].map((client) => client.tool('in-turn', {}, again(ada, { 'elicit-2': accept({ name: 'Eve' }) }))),
    );

    expect(repeated).toMatchObject({ result: last?.result });
    expect(textOf(await there.tool('in-turn', {}, again(ada, { 'elicit-2': accept({ name: 'Mallory' }) })))).toBe('Ada and Eve');
    expect((runs.get('in-turn') ?? 0) - began).toBe(2);
  });

  it('keeps an answer that it has: a later one under the same key changes nothing', async () => {
    const first = askedBy(await here.tool('in-turn'));
    const second = askedBy(await here.tool('in-turn', {}, again(first, { elicit: accept({ name: 'Ada' }) })));
    const last = await here.tool(
      'in-turn',
      {},
      again(second, { elicit: accept({ name: 'Mallory' }), 'elicit-2': accept({ name: 'Grace' }) }),
    );

    expect(textOf(last)).toBe('Ada and Grace');
  });

  it('runs as often as it is called, and not on its own', async () => {
    runs.delete('in-turn');
    const first = askedBy(await here.tool('in-turn'));
    askedBy(await there.tool('in-turn', {}, again(first, { elicit: accept({ name: 'Ada' }) })));

    expect(runs.get('in-turn')).toBe(2);
  });
});

describe('a tool that asks several things at once', () => {
  it('asks all of them in one answer, and takes what comes at once or one by one', async () => {
    const asked = askedBy(await here.tool('at-once'));
    expect(Object.entries(asked.inputRequests).map(([key, { method }]) => [key, method])).toEqual([
      ['elicit', 'elicitation/create'],
      ['sample', 'sampling/createMessage'],
      ['roots', 'roots/list'],
    ]);
    const word = { role: 'assistant', model: 'm', content: { type: 'text', text: 'word' } };
    const part = askedBy(await there.tool('at-once', {}, again(asked, { sample: word })));
    expect(Object.keys(part.inputRequests)).toEqual(['elicit', 'roots']);
    const last = await here.tool('at-once', {}, again(part, { roots: { roots: [] }, elicit: accept({ name: 'Ada' }) }));

    expect(textOf(last)).toBe(JSON.stringify([{ action: 'accept', content: { name: 'Ada' } }, word.content, []]));
  });
});

describe('a tool that names what it asks', () => {
  it('is answered under its own keys', async () => {
    const first = askedBy(await here.tool('by-key'));
    expect(Object.keys(first.inputRequests)).toEqual(['first_word']);
    const second = askedBy(await there.tool('by-key', {}, again(first, { first_word: accept({ text: 'one' }) })));
    expect(Object.keys(second.inputRequests)).toEqual(['second_word']);

    expect(textOf(await here.tool('by-key', {}, again(second, { second_word: accept({ text: 'two' }) })))).toBe(
      '[{"text":"one"},{"text":"two"}]',
    );
  });

  it('gets an error when it uses a name for two questions', async () => {
    const first = askedBy(await here.tool('same-key'));
    const { result } = await there.tool('same-key', {}, again(first, { word: accept({ text: 'one' }) }));

    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result['content'])).toContain('word');
  });
});

describe('an answer that is no answer', () => {
  it.each([
    ['nothing', {}],
    ['null in the place of the answers', null],
    ['an answer under another key', { 'user-name': accept({ name: 'Ada' }) }],
    ['a number', { elicit: 7 }],
    ['the envelope of a response', { elicit: { result: accept({ name: 'Ada' }) } }],
  ])('is asked again: %s', async (_title, inputResponses) => {
    const first = askedBy(await here.tool('in-turn'));
    const second = askedBy(await there.tool('in-turn', {}, again(first, inputResponses)));

    expect(second.inputRequests).toEqual(first.inputRequests);
    expect(messagesOf(askedBy(await here.tool('in-turn', {}, again(second, { elicit: accept({ name: 'Ada' }) }))))).toEqual([
      'A friend of Ada?',
    ]);
  });

  it.each([
    ['no action', { name: 'Ada' }, 'action'],
    ['an action that there is not', { action: 'maybe' }, 'action'],
    ['content that does not fit the form', accept({ name: 7 }), '"name"'],
    ['a required field that is null', accept({ name: null }), '"name"'],
  ])('is asked again, with the reason: %s', async (_title, answer, field) => {
    const first = askedBy(await here.tool('in-turn'));
    const second = askedBy(await there.tool('in-turn', {}, again(first, { elicit: answer })));
    const message = String(messagesOf(second)[0]);

    expect(message).toMatch(new RegExp(`^[^\n]*${field}[^\n]*\n\n`));
    expect(message.split('\n\n').slice(1)).toEqual(messagesOf(first));
    expect(messagesOf(askedBy(await here.tool('in-turn', {}, again(second, { elicit: accept({ name: 'Ada' }) }))))).toEqual([
      'A friend of Ada?',
    ]);
  });

  it('takes nothing from what came beside it', async () => {
    const asked = askedBy(await here.tool('at-once'));
    const part = askedBy(await there.tool('at-once', {}, again(asked, { sample: { action: 'accept' }, roots: { roots: [] }, more: {} })));

    expect(Object.keys(part.inputRequests)).toEqual(['elicit', 'sample']);
  });
});

describe('the state of a call', () => {
  const INVALID = { code: -32602, message: 'Invalid or expired requestState', data: { reason: 'invalid_request_state' } };

  it.each<[string, (state: string) => unknown]>([
    ['that was added to', (state) => `${state}-TAMPERED`],
    ['of which a character was changed', (state) => (state.startsWith('A') ? 'B' : 'A') + state.slice(1)],
    ['that was cut off', (state) => state.slice(0, -4)],
    ['that is empty', () => ''],
    ['that is no text', () => 7],
    ['that is an object', () => ({ answers: {} })],
    ['that was made up', () => Buffer.from('{"answers":{}}').toString('base64url')],
  ])('%s is refused', async (_title, changed) => {
    const { requestState } = askedBy(await here.tool('in-turn'));
    const { error } = await there.tool(
      'in-turn',
      {},
      { requestState: changed(requestState), inputResponses: { elicit: accept({ name: 'Ada' }) } },
    );

    expect(error).toMatchObject({ code: -32602 });
  });

  it.each<[string, (asked: Asked) => Promise<Answer>]>([
    ['of another tool', (asked) => there.tool('at-once', {}, again(asked, {}))],
    ['of other arguments', (asked) => there.tool('in-turn', { topic: 'play' }, again(asked, {}))],
    ['of a tool call, for a prompt', (asked) => there.call('prompts/get', { name: 'letter', ...again(asked, {}) })],
    ['of a tool call, for a durable tool', (asked) => there.tool('ask', {}, again(asked, {}))],
    ['of a tool call, for a resource', (asked) => there.call('resources/read', { uri: 'test://diary', ...again(asked, {}) })],
  ])('%s is refused', async (_title, call) => {
    expect((await call(askedBy(await here.tool('in-turn')))).error).toEqual(INVALID);
  });

  it('of a deployment with another secret is refused', async () => {
    const others = await startGateways({}, { features: modernFeatures, secret: 'another secret' });
    const asked = askedBy(await modernClient(others.first, PLAIN_CLIENT).tool('in-turn'));
    await others.close();

    expect((await here.tool('in-turn', {}, again(asked, {}))).error).toEqual(INVALID);
  });

  it('does not show the answers that it carries', async () => {
    const first = askedBy(await here.tool('in-turn'));
    const { requestState } = askedBy(await here.tool('in-turn', {}, again(first, { elicit: accept({ name: 'Ada Lovelace' }) })));

    expect(Buffer.from(requestState, 'base64url').toString('latin1')).not.toContain('Lovelace');
  });
});

describe('what a client can be asked', () => {
  it.each([
    ['in-turn', { sampling: {} }, 'elicitation.form'],
    ['in-turn', { elicitation: { url: {} } }, 'elicitation.form'],
    ['open-url', { elicitation: {} }, 'elicitation.url'],
    ['at-once', { elicitation: {}, roots: {} }, 'sampling'],
    ['offer-tools', { sampling: { context: {} } }, 'sampling.tools'],
    ['offer-tools', { sampling: { tools: {} } }, 'sampling.context', { context: true }],
  ])('%s asks nothing of a client with %j', async (name, capabilities, missing, args: object = {}) => {
    const { result } = await modernClient(gateways.first, capabilities).tool(name, args);

    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(JSON.stringify(result['content'])).toContain(`The client has not declared the capability \\"${missing}\\".`);
  });

  it.each([
    ['prompts/get', { name: 'letter' }, { elicitation: {} }],
    ['resources/read', { uri: 'test://diary' }, { elicitation: {} }],
    ['resources/read', { uri: 'test://samples' }, { sampling: {} }],
  ])('%s of %j is refused to a client that lacks it, by name', async (method, params, requiredCapabilities) => {
    const { status, error } = await modernClient(gateways.first, { roots: {} }).call(method, params);

    expect(status).toBe(400);
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities } });
  });

  it('is not a ping, which this revision has not: it resolves without a request', async () => {
    const { result } = await here.tool('ping-client');

    expect(result).toMatchObject({ resultType: 'complete' });
    expect(textOf({ result })).toBe('there');
  });

  it('may be to open a URL, which has no id in this revision', async () => {
    const asked = askedBy(await here.tool('open-url'));
    expect(asked.inputRequests).toEqual({
      elicit: { method: 'elicitation/create', params: { mode: 'url', url: 'https://example.com/', message: 'Open it?' } },
    });

    expect(textOf(await there.tool('open-url', {}, again(asked, { elicit: { action: 'accept' } })))).toBe('accept');
  });
});

describe('prompts and resources', () => {
  it('ask in rounds as well', async () => {
    const letter = askedBy(await here.call('prompts/get', { name: 'letter' }));
    const prompt = await there.call('prompts/get', { name: 'letter', ...again(letter, { elicit: accept({ name: 'Ada' }) }) });
    expect(prompt.result).toMatchObject({ resultType: 'complete', messages: [{ content: { text: 'Write to Ada.' } }] });

    const diary = askedBy(await here.call('resources/read', { uri: 'test://diary' }));
    const read = await there.call('resources/read', { uri: 'test://diary', ...again(diary, { elicit: accept({ name: 'Ada' }) }) });
    expect(read.result).toMatchObject({ resultType: 'complete', contents: [{ text: '{"action":"accept","content":{"name":"Ada"}}' }] });
  });

  it.each(['tools/list', 'prompts/list', 'resources/list', 'server/discover'])('%s asks nothing', async (method) => {
    expect((await here.call(method)).result).toMatchObject({ resultType: 'complete' });
  });
});

describe('notifications of a tool before it asks', () => {
  it('come before its question, on the same stream', async () => {
    const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'info' };
    const answer = await here.call('tools/call', { name: 'report-and-ask' }, meta);

    askedBy(answer);
    expect(answer.notifications).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 10 } },
      { method: 'notifications/message', params: { level: 'info', data: 'about to ask' } },
    ]);
  });
});

describe('answers that are too much', () => {
  it('are kept while the state stays below its limit', async () => {
    const name = 'x'.repeat(30_000);
    const first = askedBy(await here.tool('long-answers'));
    const second = askedBy(await there.tool('long-answers', {}, again(first, { elicit: accept({ name }) })));

    expect(textOf(await here.tool('long-answers', {}, again(second, { 'elicit-2': accept({ name: 'x' }) })))).toBe('30000');
  });

  it('are refused by name when the state would be larger than a request may be', async () => {
    const name = 'x'.repeat(60_000);
    const first = askedBy(await here.tool('long-answers'));
    const { error } = await there.tool('long-answers', {}, again(first, { elicit: accept({ name }) }));

    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/inputResponses.*49152/) as string });
  });

  it('are refused like any other request that is too large', async () => {
    const first = askedBy(await here.tool('long-answers'));
    const { status, error } = await there.tool('long-answers', {}, again(first, { elicit: accept({ name: 'x'.repeat(70_000) }) }));

    expect(status).toBe(413);
    expect(error).toMatchObject({ code: -31000 });
  });
});
