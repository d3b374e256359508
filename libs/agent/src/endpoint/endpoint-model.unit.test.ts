import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../conversation/messages.js';
import {
  contextOverflow,
  type EndpointOptions as ServerOptions,
  parserMissing,
  type RecordedRequest,
  type Script,
  type ScriptedEndpoint,
  startScriptedEndpoint,
  toolsUnsupported,
} from '../testing/scripted-endpoint.js';
import type { ChatDelta, ChatModel, ChatReply, ChatRequest } from '../model/chat-model.js';
import { memoryCollections } from '../threads/memory-collections.fixture.js';
import { EndpointMemory } from './endpoint-memory.js';
import { createEndpointModel, type EndpointOptions } from './endpoint-model.js';

const TOOL = {
  name: 'get-date',
  description: 'Says the date of today at a place, in a format.',
  parameters: { type: 'object', properties: { timezone: { type: 'string', description: 'The IANA name of a time zone' } } },
};
const USER: Message = { role: 'user', content: 'What is the date in Tokyo?' };
const CALL = { name: 'get-date', arguments: { timezone: 'Asia/Tokyo' } };

describe('A model at an endpoint', () => {
  let endpoint: ScriptedEndpoint;
  let model: ChatModel;
  let shown = '';

  async function start(script: Script, options: Partial<EndpointOptions> = {}, server: ServerOptions = {}): Promise<void> {
    endpoint = await startScriptedEndpoint(script, server);
    model = createEndpointModel({ baseUrl: endpoint.url, model: 'm', ...options });
  }

  async function ask(request: Partial<ChatRequest> = {}): Promise<ChatReply> {
    shown = '';
    const onDelta = ({ text = '' }: ChatDelta): void => {
      shown += text;
    };
    return model.complete({ messages: [USER], tools: [TOOL], ...request }, { signal: new AbortController().signal, onDelta });
  }

  const bodies = (): RecordedRequest['body'][] => endpoint.requests.map(({ body }) => body);

  afterEach(() => endpoint.close());

  it('is sent no half of a character, for which endpoints refuse the request', async () => {
    await start([{ content: 'ok' }]);
    const half = 'a \ud83d b';
    await ask({ messages: [{ role: 'user', content: half }], tools: [{ ...TOOL, description: half }] });
    expect(bodies()[0]).toMatchObject({ messages: [{ content: 'a \ufffd b' }], tools: [{ function: { description: 'a \ufffd b' } }] });
  });

  it('generates as is set, and sends further members that replace none of its own', async () => {
    const sampling = {
      temperature: 0.2,
      maxTokens: 50,
      reasoningEffort: 'low',
      stop: ['END'],
      extraBody: { top_k: 3, model: 'other', temperature: 1 },
    };
    await start(() => ({ content: 'ok' }), { sampling });
    await ask({ tools: [] });
    await ask({ tools: [], maxTokens: 20 });
    expect(bodies()[0]).toMatchObject({ model: 'm', temperature: 0.2, max_tokens: 50, reasoning_effort: 'low', stop: ['END'], top_k: 3 });
    expect(bodies()[1]).toMatchObject({ max_tokens: 20 });
  });

  it('asks for a stream with usage, and offers its tools', async () => {
    await start([{ toolCalls: [CALL] }], { apiKey: ' key\n' });

    expect(await ask({ maxTokens: 100 })).toMatchObject({
      content: '',
      toolCalls: [{ id: 'call_1_1' }],
      usage: { outputTokens: 5 },
      mode: 'native',
    });
    expect(endpoint.requests[0]).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: 'Bearer key' } });
    expect(bodies()).toEqual([
      {
        model: 'm',
        messages: [USER],
        stream: true,
        stream_options: { include_usage: true },
        tools: [{ type: 'function', function: TOOL }],
        parallel_tool_calls: true,
        max_tokens: 100,
      },
    ]);
  });

  it('asks for one piece where streams are not wanted', async () => {
    await start([{ toolCalls: [CALL] }], { isStreamed: false });

    expect(await ask()).toMatchObject({ toolCalls: [{ id: 'call_1_1' }], usage: { outputTokens: 5 } });
    expect(bodies()[0]).not.toHaveProperty('stream');
  });

  it('reads one piece where the endpoint does not know streams', async () => {
    await start([{ body: { choices: [{ message: { content: 'Hello' } }] } }]);

    expect(await ask()).toEqual({ content: 'Hello', toolCalls: [], mode: 'native' });
  });

  it('never sends an empty list of tools', async () => {
    await start([{ content: 'Hello' }], {}, { dialect: 'vllm' });

    await ask({ tools: [] });

    expect(bodies()[0]).not.toHaveProperty('tools');
  });

  it('sends no key where there is none, and none of the settings that are meant for OpenAI', async () => {
    const settings = {
      OPENAI_API_KEY: 'sk-other',
      OPENAI_ADMIN_KEY: 'sk-admin',
      OPENAI_ORG_ID: 'org',
      OPENAI_PROJECT_ID: 'project',
      OPENAI_BASE_URL: 'http://127.0.0.1:1',
      OPENAI_CUSTOM_HEADERS: 'x-gateway-key: sk-gateway\nAuthorization: Bearer sk-other',
    };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    await start([{ content: 'Hello' }]);
    await ask().finally(() => vi.unstubAllEnvs());

    const { headers } = endpoint.requests[0] ?? {};
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('openai-organization');
    expect(headers).not.toHaveProperty('openai-project');
    expect(headers).not.toHaveProperty('x-gateway-key');
  });

  it('asks vLLM without a parser for no calls, once, and remembers it for other processes', async () => {
    const { collection } = memoryCollections();
    const memory = new EndpointMemory(collection('endpoints'));
    await start(() => ({ content: 'Hello' }), { memory }, { dialect: 'vllm', hasToolParser: false });

    expect((await ask()).mode).toBe('native');
    await ask();

    const unparsed = { tool_choice: 'none', skip_special_tokens: false, tools: [{ type: 'function', function: TOOL }] };
    expect(bodies()).toMatchObject([{ parallel_tool_calls: true }, unparsed, unparsed]);
    model = createEndpointModel({ baseUrl: endpoint.url, model: 'm', memory: new EndpointMemory(collection('endpoints')) });
    await ask();
    expect(bodies()).toHaveLength(4);
    expect(bodies()[3]).toMatchObject(unparsed);
  });

  it.each<[string, Partial<EndpointOptions>, ServerOptions, string]>([
    [
      'from vLLM without a parser',
      {},
      { dialect: 'vllm', hasToolParser: false },
      '<tool_call>{"name": "get-date", "arguments": {}}</tool_call>',
    ],
    ['in textual mode', { mode: 'textual' }, {}, '[TOOL_CALLS][{"name": "get-date", "arguments": {}}]'],
    ['in schema mode', { mode: 'schema' }, {}, '{"tool": "get-date", "arguments": {}}'],
  ])('reads calls from the text, and does not show them: %s', async (_where, options, server, content) => {
    await start([{ content }, { content }], options, server);

    const reply = await ask();

    expect(reply).toMatchObject({ content: '', toolCalls: [{ type: 'function', function: { name: 'get-date', arguments: '{}' } }] });
    expect(reply.mode).toBe(options.mode ?? 'native');
    expect(shown).toBe('');
  });

  it.each([
    ['schema', '{"answer": "It is early."}'],
    ['textual', 'It is early.'],
  ] as const)('shows the answer in %s mode', async (mode, content) => {
    await start([{ content }], { mode });

    expect((await ask()).content).toBe('It is early.');
    expect(shown).toBe('It is early.');
  });

  it('says what is wrong with a reply, and shows no call that cannot be read', async () => {
    await start([{ content: '<tool_call>{"name": "no-such-tool"}</tool_call>' }]);

    expect(await ask()).toMatchObject({ content: expect.stringContaining('no-such-tool') as string, problem: { code: 'UNKNOWN_TOOL' } });
    expect(shown).toBe('');
  });

  it('says what vLLM says, if it wants a parser all the same', async () => {
    await start(() => parserMissing());

    await expect(ask()).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringContaining('--enable-auto-tool-choice') as string });
    expect(bodies()).toHaveLength(2);
  });

  it('keeps no key in what it remembers', async () => {
    const kept = memoryCollections();
    const memory = new EndpointMemory(kept.collection('endpoints'));
    await start([{ toolCalls: [CALL] }], { memory, apiKey: 'sk-secret', baseUrl: 'http://unused' });
    model = createEndpointModel({ baseUrl: `${endpoint.url}?key=also-secret`, apiKey: 'sk-secret', model: 'm', memory });
    await ask();

    expect(await memory.recall(`${endpoint.url} m`)).toEqual({ mode: 'native' });
    expect(JSON.stringify([...kept.records])).not.toContain('secret');
    expect(endpoint.requests[0]?.path).toBe('/v1/chat/completions?key=also-secret');
  });

  it.each([
    ['stream_options', 'Unrecognized request argument supplied: stream_options', 'stream_options'],
    ['parallel calls', "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.", 'parallel_tool_calls'],
    [
      'max_tokens',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
    ],
  ])('leaves out what an endpoint does not know, and remembers it: %s', async (_what, message, member) => {
    await start(({ number }) => (number === 1 ? { status: 400, body: { error: { message } } } : { content: 'Hello' }));

    await ask({ maxTokens: 10 });
    await ask({ maxTokens: 10 });

    expect(bodies().map((body) => member in body)).toEqual([true, false, false]);
    if (member === 'max_tokens') expect(bodies()[2]).toMatchObject({ max_completion_tokens: 10 });
  });

  it('becomes textual when the endpoint says that it has no tools, and remembers it', async () => {
    await start(({ body }) => ('tools' in body ? toolsUnsupported('m') : { content: 'Hello' }));

    expect((await ask()).mode).toBe('textual');
    expect((await ask()).mode).toBe('textual');
    expect(bodies().map((body) => 'tools' in body)).toEqual([true, false, false]);
  });

  it('does not become textual where the native mode is wanted', async () => {
    await start(() => toolsUnsupported('m'), { mode: 'native' });

    await expect(ask()).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringContaining('does not support tools') as string });
    expect(bodies()).toHaveLength(1);
  });

  it('becomes textual when the template ignores tools: they count no tokens', async () => {
    const countOf = (messages: unknown): number => Math.ceil(JSON.stringify(messages).length / 6);
    await start(({ body }) => ({ content: 'I cannot know that.', usage: { inputTokens: countOf(body['messages']), outputTokens: 5 } }));
    const tools = Array.from({ length: 5 }, (_, index) => ({ ...TOOL, name: `tool-${index}` }));

    const { mode, usage } = await ask({ tools });
    expect(mode).toBe('textual');
    expect(bodies().map((body) => 'tools' in body)).toEqual([true, false, false]);
    expect(bodies()[1]).toMatchObject({ max_tokens: 1 });
    // All three are paid.
    const inputTokens = bodies().reduce((sum, body) => sum + countOf(body['messages']), 0);
    expect(usage).toEqual({ inputTokens, outputTokens: 15 });
  });

  it.each([
    ['as many tokens as its tools have', {}, 1],
    ['few tokens, but more than without tools', { perTool: 1 }, 2],
    ['the same for everything', { perTool: 0 }, 2],
    ['fewer tokens than its messages have', { perTool: 0, base: 1 }, 1],
    ['no tokens', { usage: null }, 1],
  ])(
    'stays native when an answer counts %s',
    async (_what, { base = 5, perTool, usage }: { base?: number; perTool?: number; usage?: null }, requests) => {
      await start(({ body: { tools } }) => ({
        content: 'Hello',
        ...(usage === null && { usage }),
        ...(perTool !== undefined && { usage: { inputTokens: base + (Array.isArray(tools) ? perTool : 0), outputTokens: 1 } }),
      }));

      expect((await ask()).mode).toBe('native');
      expect(bodies()).toHaveLength(requests);
    },
  );

  it.each(['openai', 'vllm', 'llama.cpp'] as const)(
    'leaves out the oldest results when the context is too long, in the words of %s',
    async (dialect) => {
      await start(({ body }) => (JSON.stringify(body['messages']).length > 9000 ? contextOverflow(dialect) : { content: 'Done' }));
      const results: Message[] = ['a', 'b', 'c'].map((letter) => ({ role: 'tool', tool_call_id: letter, content: letter.repeat(4000) }));

      const reply = await ask({ messages: [USER, ...results] });

      expect(reply).toMatchObject({ content: 'Done', trimmedResults: 2 });
      const sent = bodies().at(-1)?.['messages'] as unknown as Message[];
      expect(sent[1]?.content).toMatch(/^\[This result of 4000 characters was left out/);
      expect(sent[3]).toEqual(results[2]);
    },
  );

  it('leaves out all results within a few requests, and then fails by name', async () => {
    await start(() => contextOverflow('vllm', { promptTokens: 4100, contextTokens: 4096 }));
    const results: Message[] = Array.from({ length: 100 }, (_, at) => ({ role: 'tool', tool_call_id: `${at}`, content: 'x'.repeat(1000) }));

    await expect(ask({ messages: [USER, ...results] })).rejects.toMatchObject({ code: 'CONTEXT_OVERFLOW' });

    expect(bodies()).toHaveLength(6);
    expect(JSON.stringify(bodies().at(-1))).not.toContain('xxx');
  });

  it('asks for an output that fits a schema, and in words where the endpoint has no schemas', async () => {
    const refusal = { status: 400, body: { error: { message: 'response_format is not supported' } } };
    await start(({ body }) => ('response_format' in body ? refusal : { content: '{"day": 1}' }), { mode: 'native' });
    const outputSchema = { type: 'object', properties: { day: { type: 'integer' } } };

    expect((await ask({ tools: [], outputSchema })).content).toBe('{"day": 1}');

    expect(bodies().map((body) => 'response_format' in body)).toEqual([true, false]);
    expect(bodies()[0]).toMatchObject({ response_format: { type: 'json_schema', json_schema: { schema: outputSchema } } });
    expect(bodies()[1]).toMatchObject({
      messages: [{ role: 'system', content: expect.stringContaining(JSON.stringify(outputSchema)) as string }, USER],
    });
  });

  it('forgets that one schema was refused', async () => {
    const memory = new EndpointMemory();
    const refusal = { status: 400, body: { error: { message: "Invalid schema for response_format 'answer'" } } };
    await start(({ number }) => (number === 1 ? refusal : { content: '{}' }), { mode: 'native', memory });

    await ask({ tools: [], outputSchema: { type: 'object' } });

    expect(bodies().map((body) => 'response_format' in body)).toEqual([true, false]);
    expect(await memory.recall(`${endpoint.url} m`)).toEqual({});
  });
});
