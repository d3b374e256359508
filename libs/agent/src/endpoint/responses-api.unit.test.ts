import { afterEach, describe, expect, it } from 'vitest';
import type { Message, ToolCall } from '../conversation/messages.js';
import { type RecordedRequest, type Script, type ScriptedEndpoint, startScriptedEndpoint } from '../testing/scripted-endpoint.js';
import type { ChatDelta, ChatModel, ChatReply, ChatRequest } from '../model/chat-model.js';
import { createEndpointModel, type EndpointOptions } from './endpoint-model.js';

const TOOL = { name: 'get-date', description: 'Says the date.', parameters: { type: 'object', properties: {} } };
const SYSTEM: Message = { role: 'system', content: 'Be short.' };
const USER: Message = { role: 'user', content: 'What is the date?' };
const CALL = { name: 'get-date', arguments: { timezone: 'Asia/Tokyo' } };
const THOUGHT = { reasoning: 'Hm.', encryptedReasoning: 'gAAA' };
const REASONING_ITEM = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Hm.' }],
  encrypted_content: 'gAAA',
};

let endpoint: ScriptedEndpoint;
let model: ChatModel;

async function start(script: Script, options: Partial<EndpointOptions> = {}): Promise<void> {
  endpoint = await startScriptedEndpoint(script);
  model = modelOf(options);
}

function modelOf(options: Partial<EndpointOptions> = {}): ChatModel {
  return createEndpointModel({ baseUrl: endpoint.url, model: 'm', api: 'responses', ...options });
}

function ask(request: Partial<ChatRequest> = {}, asked = model, onDelta?: (delta: ChatDelta) => void): Promise<ChatReply> {
  const { signal } = new AbortController();
  return asked.complete({ messages: [SYSTEM, USER], tools: [TOOL], ...request }, { signal, ...(onDelta && { onDelta }) });
}

const bodies = (): RecordedRequest['body'][] => endpoint.requests.map(({ body }) => body);
const refusal = (message: string, more: object = {}) => ({ status: 400, body: { error: { message, ...more } } });

/** The conversation after a reply and the results of its calls. */
function after({ content, toolCalls, thoughts }: ChatReply): Message[] {
  const said: Message = { role: 'assistant', content, tool_calls: toolCalls, ...(thoughts && { thoughts }) };
  return [SYSTEM, USER, said, ...toolCalls.map(({ id }: ToolCall): Message => ({ role: 'tool', tool_call_id: id, content: 'Monday' }))];
}

afterEach(() => endpoint.close());

describe('A request to the Responses API', () => {
  it('has the conversation as items, and has nothing stored', async () => {
    await start([{ content: 'Monday' }], { sampling: { temperature: 0.2, maxTokens: 5, reasoningEffort: 'low' } });
    const call: ToolCall = { id: 'a', type: 'function', function: { name: 'get-date', arguments: '{"half": ' } };
    await ask({
      messages: [
        SYSTEM,
        USER,
        { role: 'assistant', content: 'I look.', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ],
    });

    expect(endpoint.requests[0]?.path).toBe('/v1/responses');
    expect(bodies()).toEqual([
      {
        model: 'm',
        instructions: 'Be short.',
        input: [
          USER,
          { role: 'assistant', content: 'I look.' },
          { type: 'function_call', call_id: 'a', name: 'get-date', arguments: '{}' },
          { type: 'function_call_output', call_id: 'a', output: 'x' },
        ],
        stream: true,
        store: false,
        include: ['reasoning.encrypted_content'],
        tools: [{ type: 'function', ...TOOL, strict: false }],
        parallel_tool_calls: true,
        max_output_tokens: 16,
        temperature: 0.2,
        reasoning: { effort: 'low' },
      },
    ]);
  });

  it('keeps what the operator adds to members of its own', async () => {
    const extraBody = { reasoning: { summary: 'auto' }, text: { verbosity: 'low' }, include: ['x'], store: true, top_p: 0.5 };
    await start([{ content: '{}' }], { sampling: { reasoningEffort: 'high', extraBody } });
    await ask({ tools: [], outputSchema: { type: 'object' } });

    expect(bodies()[0]).toMatchObject({
      top_p: 0.5,
      store: false,
      reasoning: { summary: 'auto', effort: 'high' },
      include: ['x', 'reasoning.encrypted_content'],
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'answer', schema: { type: 'object' } } },
    });
  });

  it('asks in words for what fits a schema where the endpoint has no formats', async () => {
    await start(({ body }) => ('text' in body ? refusal("Unsupported parameter: 'text.format'.") : { content: '{}' }));
    expect((await ask({ tools: [], outputSchema: { type: 'object' } })).content).toBe('{}');
    expect(bodies()[1]?.['instructions']).toContain('Write nothing but JSON');
  });

  it('is refused by name for texts at which an answer ends, which this API does not have', async () => {
    await start([{ content: 'x' }], { sampling: { stop: ['END'] } });
    await expect(ask()).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'The Responses API has no "stop": leave it out of the sampling.',
    });
    expect(bodies()).toEqual([]);
  });

  it('has images of results where the model takes them, and names them to others', async () => {
    await start(() => ({ content: 'A cat.' }));
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const;
    const messages: Message[] = [{ role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'See:' }, image] }];
    await ask({ messages }, modelOf({ takesImages: true }));
    await ask({ messages });

    const outputs = bodies().map(({ input }) => (input as unknown as { output: unknown }[])[0]?.output);
    expect(outputs).toEqual([
      [
        { type: 'input_text', text: 'See:' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
      ],
      'See:\n[an image (image/png, 1 KiB), which you cannot see]',
    ]);
  });
});

describe('An answer of the Responses API', () => {
  it.each([true, false])('has text, thoughts, calls and counts; streamed: %s', async (isStreamed) => {
    const usage = { inputTokens: 10, outputTokens: 7, cachedTokens: 4, reasoningTokens: 3 };
    await start([{ content: 'I look.', ...THOUGHT, toolCalls: [CALL, CALL], usage }], { isStreamed });
    const shown: ChatDelta[] = [];

    expect(await ask({}, model, (delta) => shown.push(delta))).toEqual({
      content: 'I look.',
      reasoning: 'Hm.',
      thoughts: { by: expect.stringMatching(/^[0-9a-f]{32}$/) as string, items: [{ beforeCall: 0, item: REASONING_ITEM }] },
      toolCalls: ['call_1_1', 'call_1_2'].map((id) => ({
        id,
        type: 'function',
        function: { name: 'get-date', arguments: '{"timezone":"Asia/Tokyo"}' },
      })),
      usage,
      mode: 'native',
    });
    if (isStreamed) expect(shown).toEqual([{ reasoning: 'Hm.' }, { text: 'I look.' }]);
  });

  it('is whole where the last event has no items', async () => {
    const item = { type: 'message', content: [{ type: 'output_text', text: 'Monday' }] };
    const events = [
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { status: 'completed', output: [], usage: { input_tokens: 1, output_tokens: 1 } } },
    ];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    await start([{ body, headers: { 'content-type': 'text/event-stream' } }]);
    expect(await ask()).toMatchObject({ content: 'Monday', usage: { inputTokens: 1 } });
  });

  it('has a refusal of the model as its text', async () => {
    const output = [{ type: 'message', content: [{ type: 'refusal', refusal: 'I will not.' }] }];
    await start([{ body: { status: 'completed', output } }]);
    expect((await ask()).content).toBe('I will not.');
  });

  it('is cut when it is incomplete: a call in it is not made', async () => {
    await start([{ content: 'So', incomplete: 'max_output_tokens', toolCalls: [{ name: 'get-date', arguments: '{"timezo' }] }]);
    expect(await ask()).toMatchObject({ content: 'So', toolCalls: [], problem: { code: 'UNREADABLE_CALL' } });
  });

  it.each([
    ['nothing', { body: { status: 'completed', output: [] } }, 'BAD_RESPONSE', 'No response'],
    ['only thoughts', THOUGHT, 'BAD_RESPONSE', 'No content and no tool calls'],
    ['a failure', { failure: { code: 'server_error', message: 'Out of order' } }, 'UNAVAILABLE', 'Out of order'],
    ['too much', { failure: { code: 'rate_limit_exceeded', message: 'Later' } }, 'RATE_LIMITED', 'Later'],
    ['half of it', { content: 'Monday', cut: 'midway' } as const, 'UNAVAILABLE', 'connection'],
    ['another status', { status: 404, body: 'Not Found' }, 'REFUSED', 'does not offer this API'],
  ])('that is %s is an error by its name', async (_what, reply, code, message) => {
    await start([reply]);
    await expect(ask()).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  it('counts what a failed answer has used', async () => {
    await start([{ failure: { code: 'server_error', message: 'x' }, usage: { inputTokens: 9, outputTokens: 2 } }]);
    await expect(ask()).rejects.toMatchObject({ usage: { inputTokens: 9, outputTokens: 2 } });
  });
});

describe('Thoughts of a model', () => {
  it('are sent back before the call that followed from them, to the same model only', async () => {
    await start(({ number }) => (number === 1 ? { ...THOUGHT, toolCalls: [CALL] } : { content: 'Monday' }));
    const messages = after(await ask());
    await ask({ messages });
    await ask({ messages }, modelOf({ model: 'other' }));
    await ask({ messages }, modelOf({ api: 'chat' }));

    const types = bodies()
      .slice(1, 3)
      .map(({ input }) => (input as unknown as { type?: string }[]).map(({ type }) => type));
    expect(types).toEqual([
      [undefined, 'reasoning', 'function_call', 'function_call_output'],
      [undefined, 'function_call', 'function_call_output'],
    ]);
    expect(bodies()[1]?.['input']).toContainEqual(REASONING_ITEM);
    expect(JSON.stringify(bodies()[3])).not.toContain('gAAA');
  });

  it('are left out of one request where the endpoint cannot read them any more', async () => {
    await start(({ number, body }) => {
      if (number === 1) return { ...THOUGHT, toolCalls: [CALL] };
      return JSON.stringify(body).includes('gAAA')
        ? refusal('The encrypted content for item rs_1 could not be verified.')
        : { content: 'Ok' };
    });
    const messages = after(await ask());
    expect((await ask({ messages })).content).toBe('Ok');
    expect(
      bodies()
        .slice(1)
        .map((body) => JSON.stringify(body).includes('gAAA')),
    ).toEqual([true, false]);
    await ask();
    expect(bodies().at(-1)).toHaveProperty('include');
  });

  it('are not asked for where the model has none, which is remembered', async () => {
    const none = refusal('Encrypted content is not supported with this model.', { param: 'include' });
    await start(({ body }) => ('include' in body ? none : { content: 'Ok' }));
    await ask();
    await ask();
    expect(bodies().map((body) => 'include' in body)).toEqual([true, false, false]);
  });
});

describe('An endpoint of the Responses API without tools', () => {
  it('is asked in the text, also when its template ignores them', async () => {
    const tools = Array.from({ length: 5 }, (_, index) => ({ ...TOOL, name: `tool-${index}`, description: 'x'.repeat(200) }));
    await start(({ body: { input, instructions } }) => ({
      content: 'I cannot know that.',
      usage: { inputTokens: Math.ceil(JSON.stringify([input, instructions]).length / 6), outputTokens: 5 },
    }));

    expect((await ask({ tools })).mode).toBe('textual');
    expect(bodies().map((body) => 'tools' in body)).toEqual([true, false, false]);
    expect(bodies()[1]).toMatchObject({ max_output_tokens: 16, store: false });
  });
});
