/** Answers as servers send them, streamed and not: what the model has said by each. */
import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import type { ChatReply, ChatRequest } from '../model/chat-model.js';
import { createEndpointModel } from './endpoint-model.js';

const TOOLS = [
  { name: 'get-date', parameters: { type: 'object', properties: { timezone: { type: 'string' } } } },
  { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } } },
];
const TOKYO = ['get-date', { timezone: 'Asia/Tokyo' }] as const;
const SUM = ['add', { a: 1, b: 2 }] as const;
const HERMES = '<tool_call>\n{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}\n</tool_call>';

interface Answer {
  readonly message: JsonObject;
  /** The pieces of the message in a stream; else its texts are cut, and the rest comes as it is. */
  readonly deltas?: readonly JsonObject[];
  readonly finishReason?: string;
  readonly mode?: 'native' | 'schema';
  /** Whether the model was asked before. */
  readonly isSecond?: boolean;
}

interface Expected {
  readonly content?: string;
  readonly calls?: readonly (readonly [string, unknown])[];
  readonly reasoning?: string;
  readonly problem?: string;
}

function native(name: string, args: JsonObject[string], more: JsonObject = {}): JsonObject {
  return { ...more, type: 'function', function: { name, arguments: args } };
}

/** A call in a stream of vLLM: the first piece has the name, the others have the arguments. */
function fragments(index: number, id: string | undefined, names: readonly string[], args: readonly string[]): JsonObject[] {
  const [first = '', ...rest] = names;
  return [
    { tool_calls: [{ index, ...(id !== undefined && { id }), type: 'function', function: { name: first } }] },
    ...rest.map((name) => ({ tool_calls: [{ index, function: { name } }] })),
    ...args.map((text) => ({ tool_calls: [{ index, function: { arguments: text } }] })),
  ];
}

const ANSWERS: Readonly<Record<string, readonly [Answer, Expected]>> = {
  'vLLM, hermes parser: two calls': [
    {
      message: {
        content: null,
        tool_calls: [
          native('get-date', '{"timezone": "Asia/Tokyo"}', { id: 'chatcmpl-tool-1' }),
          native('add', '{"a": 1, "b": 2}', { id: 'chatcmpl-tool-2' }),
        ],
      },
      deltas: [
        ...fragments(0, 'chatcmpl-tool-1', ['get-date'], ['{"timezone": ', '"Asia/Tokyo"}']),
        ...fragments(1, 'chatcmpl-tool-2', ['add'], ['{"a": 1', ', "b": 2}']),
      ],
      finishReason: 'tool_calls',
    },
    { calls: [TOKYO, SUM] },
  ],
  'vLLM, hermes parser: the last brace of a stream is lost': [
    {
      message: { content: null, tool_calls: [native('add', '{"a": 1, "b": 2', { id: 'x' })] },
      deltas: fragments(0, 'x', ['add'], ['{"a": 1', ', "b": 2']),
      finishReason: 'tool_calls',
    },
    { calls: [SUM] },
  ],
  'vLLM: another id with each fragment': [
    {
      message: { content: null, tool_calls: [native('add', '{"a":1,"b":2}', { id: 'x' })] },
      deltas: ['{"a":1', ',"b":2}'].reduce<JsonObject[]>(
        (deltas, text, index) => [...deltas, { tool_calls: [{ index: 0, id: `y${index}`, function: { arguments: text } }] }],
        [{ tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'add' } }] }],
      ),
    },
    { calls: [SUM] },
  ],
  'vLLM without a parser: the last brace is missing': [{ message: { content: HERMES.replace('}}', '}') } }, { calls: [TOKYO] }],
  'vLLM without a parser: words, and two calls': [
    { message: { content: `I look.\n${HERMES}\n<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}\n</tool_call>` } },
    { content: 'I look.', calls: [TOKYO, SUM] },
  ],
  'vLLM with a reasoning parser: the call is in reasoning_content': [
    { message: { content: null, reasoning_content: `\nI need the date.\n${HERMES}` } },
    { reasoning: 'I need the date.', calls: [TOKYO] },
  ],
  'vLLM, newer: the call is in reasoning': [
    { message: { content: null, reasoning: `\nI need the date.\n${HERMES}` } },
    { reasoning: 'I need the date.', calls: [TOKYO] },
  ],
  'vLLM without a reasoning parser: the call is in thoughts that are not closed': [
    { message: { content: `<think>\nI need the date.\n${HERMES}` } },
    { reasoning: 'I need the date.', calls: [TOKYO] },
  ],
  'vLLM, DeepSeek R1: the opening stands in the prompt': [
    { message: { content: `I need the date.\n</think>\n\n${HERMES}` }, isSecond: true },
    { reasoning: 'I need the date.', calls: [TOKYO] },
  ],
  'vLLM: thoughts that are cut have no call': [
    { message: { content: `<think>\nMaybe ${HERMES}`, reasoning: null }, finishReason: 'length' },
    { problem: 'No content and no tool calls' },
  ],
  'vLLM: a call that is cut': [
    { message: { content: HERMES.slice(0, 60) }, finishReason: 'length' },
    { content: HERMES.slice(0, 60), problem: 'UNREADABLE_CALL' },
  ],
  'vLLM: a call that is cut before its arguments': [
    { message: { content: null, tool_calls: [native('get-date', '')] }, finishReason: 'length' },
    { content: '<tool_call>{"name": "get-date", "arguments": ', problem: 'UNREADABLE_CALL' },
  ],
  ...Object.fromEntries(
    ['model_length', 'MAX_TOKENS', 'content_filter', 'abort'].map((finishReason): [string, (typeof ANSWERS)[string]] => [
      `others, which call it ${finishReason}: a call that is cut`,
      [
        { message: { content: null, tool_calls: [native('get-date', '{"timezone": "Asia/Tokyo"')] }, finishReason },
        { content: '<tool_call>{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"', problem: 'UNREADABLE_CALL' },
      ],
    ]),
  ),
  'vLLM, guided decoding: a call in a block of code': [
    { message: { content: '```json\n{"tool": "add", "arguments": {"a": 1, "b": 2}}\n```' }, mode: 'schema' },
    { calls: [SUM] },
  ],
  'Ollama: whole calls, all with the index 0 and no id': [
    {
      message: {
        content: '',
        tool_calls: [native('get-date', '{"timezone":"Asia/Tokyo"}', { index: 0 }), native('add', '{"a":1,"b":2}', { index: 0 })],
      },
      deltas: [
        { content: '', tool_calls: [native('get-date', '{"timezone":"Asia/Tokyo"}', { index: 0 })] },
        { content: '', tool_calls: [native('add', '{"a":1,"b":2}', { index: 0 })] },
      ],
    },
    { calls: [TOKYO, SUM] },
  ],
  'Ollama: arguments as an object': [
    { message: { content: '', tool_calls: [native('get-date', { timezone: 'Asia/Tokyo' }), native('add', { a: 1, b: 2 })] } },
    { calls: [TOKYO, SUM] },
  ],
  'Ollama: arguments that are encoded twice': [
    { message: { content: '', tool_calls: [native('add', '"{\\"a\\": 1, \\"b\\": 2}"', { id: 'call_1' })] } },
    { calls: [SUM] },
  ],
  'Ollama: arguments in a block of code': [
    { message: { content: '', tool_calls: [native('add', '```json\n{"a": 1, "b": 2}\n```', { id: 'call_1' })] } },
    { calls: [SUM] },
  ],
  'Ollama: a template that ignores tools': [{ message: { content: '{"name": "add", "parameters": {"a": 1, "b": 2}' } }, { calls: [SUM] }],
  'Ollama: such a template, and a call that cannot be read': [
    { message: { content: '{"name": "add", "parameters": {"a": 1 + 0, "b": 2}}' } },
    { content: '{"name": "add", "parameters": {"a": 1 + 0, "b": 2}}', problem: 'UNREADABLE_CALL' },
  ],
  'Ollama: Magistral, with thoughts in its answer': [
    { message: { content: '[THINK]I need no tool.[/THINK]It is Saturday.' } },
    { reasoning: 'I need no tool.', content: 'It is Saturday.' },
  ],
  'llama.cpp: the name in fragments': [
    {
      message: { content: null, tool_calls: [native('get-date', '{"timezone":"Asia/Tokyo"}', { id: 'a' })] },
      deltas: fragments(0, 'a', ['get', '-', 'date'], ['{"timezone', '":"Asia/Tokyo"}']),
      finishReason: 'tool_calls',
    },
    { calls: [TOKYO] },
  ],
  'llama.cpp: the name in fragments, without an id': [
    {
      message: { content: null, tool_calls: [native('get-date', '{"timezone":"Asia/Tokyo"}'), native('add', '{"a":1,"b":2}')] },
      deltas: [
        ...fragments(0, undefined, ['get-', 'date'], ['{"timezone', '":"Asia/Tokyo"}']),
        ...fragments(0, undefined, ['ad', 'd'], ['{"a":1,"b":2}']),
      ],
    },
    { calls: [TOKYO, SUM] },
  ],
  'llama.cpp: thoughts in capital letters': [
    { message: { content: '<THINK>\nHm.\n</THINK>\n\nIt is Saturday.' } },
    { reasoning: 'Hm.', content: 'It is Saturday.' },
  ],
  'llama.cpp: thoughts of another name, and a call': [
    { message: { content: `<thinking>\nHm.\n</thinking>\n\n${HERMES}` } },
    { reasoning: 'Hm.', calls: [TOKYO] },
  ],
  'llama.cpp: thoughts between words': [
    { message: { content: 'I look.\n<think>\nHm.\n</think>\nIt is Saturday.' } },
    { reasoning: 'Hm.', content: 'I look.\nIt is Saturday.' },
  ],
  'llama.cpp: a call of a tool that there is not': [
    { message: { content: '<tool_call>{"name": "rm", "arguments": {}}</tool_call>' } },
    { content: '<tool_call>{"name": "rm", "arguments": {}}</tool_call>', problem: 'UNKNOWN_TOOL' },
  ],
  'LiteLLM: the older function_call': [
    {
      message: { content: null, function_call: { name: 'add', arguments: '{"a": 1, "b": 2}' } },
      deltas: [
        { content: null, function_call: { name: 'add', arguments: '' } },
        { function_call: { arguments: '{"a": 1,' } },
        { function_call: { name: null, arguments: ' "b": 2}' } },
      ],
      finishReason: 'function_call',
    },
    { calls: [SUM] },
  ],
  'LiteLLM: an empty object before the arguments': [
    {
      message: { content: null, tool_calls: [native('add', '{}{"a": 1, "b": 2}', { id: 'toolu_1' })] },
      deltas: fragments(0, 'toolu_1', ['add'], ['{}', '{"a": 1', ', "b": 2}']),
    },
    { calls: [SUM] },
  ],
  'LiteLLM: thoughts under both names, and as a part of the content': [
    {
      message: {
        reasoning_content: 'Hm.',
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'It is Saturday.' },
        ],
      },
      deltas: [
        { reasoning_content: 'Hm', content: [{ type: 'thinking', thinking: 'Hm' }] },
        { reasoning_content: '.', content: [{ type: 'thinking', thinking: '.' }] },
        { content: [{ type: 'text', text: 'It is Saturday.' }] },
      ],
    },
    { reasoning: 'Hm.', content: 'It is Saturday.' },
  ],
  'any: an answer that shows how a call is written': [
    { message: { content: `A model writes:\n\`\`\`\n${HERMES}\n\`\`\`\nThen it waits for the result.` } },
    { content: `A model writes:\n\`\`\`\n${HERMES}\n\`\`\`\nThen it waits for the result.` },
  ],
  'any: an answer with JSON in a block of code': [
    { message: { content: '```json\n{"name": "add", "version": 1}\n```' } },
    { content: '```json\n{"name": "add", "version": 1}\n```' },
  ],
};

/** A message in pieces of a few characters for each of its texts. */
function cut(message: JsonObject): JsonObject[] {
  return Object.entries(message).flatMap(([member, value]): JsonObject[] => {
    if (typeof value !== 'string') return [{ [member]: value }];
    return (value.match(/[^]{1,7}/g) ?? []).map((text) => ({ [member]: text }));
  });
}

function streamOf({ message, deltas = cut(message), finishReason = 'stop' }: Answer): Response {
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const body = [chunk({ role: 'assistant' }), ...deltas.map((delta) => chunk(delta)), chunk({}, finishReason), 'data: [DONE]\n\n'].join('');
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function wholeOf({ message, finishReason = 'stop' }: Answer): Response {
  return Response.json({ choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }] });
}

async function ask(answer: Answer, isStreamed: boolean): Promise<{ readonly expected: Expected; readonly shown: string }> {
  const fetch = async (): Promise<Response> => (isStreamed ? streamOf(answer) : wholeOf(answer));
  const model = createEndpointModel({ baseUrl: 'http://127.0.0.1/v1', model: 'm', mode: answer.mode ?? 'native', isStreamed, fetch });
  const request: ChatRequest = { messages: [{ role: 'user', content: 'Go' }], tools: TOOLS };
  let shown = '';
  try {
    if (answer.isSecond === true) await model.complete(request, { signal: new AbortController().signal });
    const reply = await model.complete(request, { signal: new AbortController().signal, onDelta: ({ text = '' }) => (shown += text) });
    return { expected: summary(reply), shown };
  } catch (error) {
    return { expected: { problem: (error as Error).message }, shown };
  }
}

function summary({ content, toolCalls, reasoning, problem }: ChatReply): Expected {
  const calls = toolCalls.map(({ function: { name, arguments: text } }) => [name, JSON.parse(text) as unknown] as const);
  expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(toolCalls.length);
  return {
    ...(content !== '' && { content }),
    ...(calls.length > 0 && { calls }),
    ...(reasoning !== undefined && { reasoning }),
    ...(problem && { problem: problem.code }),
  };
}

describe.each([true, false])('The answer of a server, streamed: %s', (isStreamed) => {
  it.each(Object.entries(ANSWERS))('%s', async (_name, [answer, expected]) => {
    const { expected: said, shown } = await ask(answer, isStreamed);
    expect(said).toEqual(expected);
    // Neither thoughts nor calls are ever shown as words.
    if (expected.problem === undefined) expect(shown.trim()).toBe(expected.content ?? '');
  });
});
