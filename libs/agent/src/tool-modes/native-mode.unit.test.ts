import { expect, test } from 'vitest';
import type { Message, ToolCall } from '../conversation/messages.js';
import type { ChatRequest } from '../model/chat-model.js';
import { TOOLS } from '../textual-calls/tools.fixture.js';
import { toolModes } from './tool-modes.js';

const MESSAGES: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Which day is it?' },
];
const REQUEST: ChatRequest = { messages: MESSAGES, tools: TOOLS };
const CALL: ToolCall = { id: 'abc', type: 'function', function: { name: 'get-date', arguments: '{}' } };
const TEXTUAL = '<tool_call>{"name": "get-date", "arguments": {}}</tool_call>';
const OUTPUT = { type: 'object', properties: { day: { type: 'string' } } };
const { native } = toolModes;

test('messages and tools are sent as they are, and no empty list of tools', () => {
  expect(native.request(REQUEST)).toEqual({ messages: MESSAGES, tools: TOOLS });
  expect(native.request({ messages: MESSAGES, tools: [] })).toEqual({ messages: MESSAGES });
});

test('a schema of the answer is enforced where no tools are offered, and else described', () => {
  expect(native.request({ messages: MESSAGES, tools: [], outputSchema: OUTPUT })).toEqual({
    messages: MESSAGES,
    responseFormat: { type: 'json_schema', json_schema: { name: 'answer', schema: OUTPUT } },
  });
  const shaped = native.request({ ...REQUEST, outputSchema: OUTPUT });
  expect(shaped.responseFormat).toBeUndefined();
  expect(shaped.messages[0]).toMatchObject({ role: 'system', content: expect.stringMatching(/^Be brief\.\n\n.*JSON Schema/) });
  expect(shaped.messages[0]?.content).toContain(JSON.stringify(OUTPUT));
  expect(native.request({ ...REQUEST, messages: MESSAGES.slice(1), outputSchema: OUTPUT }).messages).toHaveLength(2);
});

test('calls that the endpoint found win over those in the text, which stays content', () => {
  expect(native.reply({ content: `<think>Hm.</think>${TEXTUAL}`, toolCalls: [CALL] }, REQUEST)).toEqual({
    content: TEXTUAL,
    reasoning: 'Hm.',
    toolCalls: [CALL],
  });
});

test('calls are read from the text where the endpoint found none', () => {
  expect(native.reply({ content: `<think>${TEXTUAL}</think>${TEXTUAL}`, toolCalls: [] }, REQUEST)).toEqual({
    content: '',
    reasoning: TEXTUAL,
    toolCalls: [{ ...CALL, id: 'call00100' }],
  });
});

test.each(['', '{', '{"timezone": "Asia', '{"timezone": "Asia/Tokyo"'])(
  'a call that was cut off in its arguments %j is not made',
  (text) => {
    const cut: ToolCall = { ...CALL, id: 'def', function: { name: 'get-date', arguments: text } };
    const problem = { code: 'UNREADABLE_CALL', message: expect.stringContaining(`"arguments": ${text}`.trim()) as string };
    expect(native.reply({ content: 'I look.', toolCalls: [CALL, cut], isCut: true }, REQUEST)).toEqual({
      content: 'I look.',
      toolCalls: [CALL],
      problem,
    });
    const written = `<tool_call>{"name": "get-date", "arguments": ${text}`;
    expect(native.reply({ content: '', toolCalls: [cut], isCut: true }, REQUEST)).toEqual({ content: written, toolCalls: [], problem });
    expect(native.reply({ content: '', toolCalls: [CALL], isCut: true }, REQUEST).toolCalls).toEqual([CALL]);
  },
);

test('what the endpoint separated as reasoning is kept, and the content stays as it is', () => {
  const raw = { content: 'A thought ends with </think>.', reasoning: 'Hm.', toolCalls: [] };
  expect(native.reply(raw, REQUEST)).toEqual(raw);
});

test('thoughts never reach the content, also where the endpoint separates a part of them', () => {
  const raw = { content: '<think>Well.</think>Saturday.', reasoning: 'Hm.', toolCalls: [] };
  expect(native.reply(raw, REQUEST)).toEqual({ content: 'Saturday.', reasoning: 'Hm.\n\nWell.', toolCalls: [] });
});

test.each([
  ['thoughts that are not closed', { content: `<think>I look.\n${TEXTUAL}` }],
  ['thoughts that the endpoint has separated', { content: '', reasoning: `I look.\n${TEXTUAL}` }],
  ['thoughts that are closed, with nothing behind them', { content: `<think>I look.\n${TEXTUAL}\n</think>\n` }],
])('a call at the end of %s is one', (_, raw) => {
  expect(native.reply({ toolCalls: [], ...raw }, REQUEST)).toEqual({
    content: '',
    reasoning: 'I look.',
    toolCalls: [{ ...CALL, id: 'call00100' }],
  });
});

test('a call in thoughts that were cut, or with an answer behind them, is only thought of', () => {
  const cut = native.reply({ content: `<think>I look.\n${TEXTUAL}`, toolCalls: [], isCut: true }, REQUEST);
  expect(cut).toEqual({ content: '', reasoning: `I look.\n${TEXTUAL}`, toolCalls: [] });
  expect(native.reply({ content: 'Saturday.', reasoning: TEXTUAL, toolCalls: [] }, REQUEST).toolCalls).toEqual([]);
});

test('arguments of calls are JSON, in whatever form they come', () => {
  const reply = (text: string) =>
    native.reply({ content: '', toolCalls: [{ ...CALL, function: { name: 'get-date', arguments: text } }] }, REQUEST);
  for (const text of ['"{\\"a\\": 1}"', '```json\n{"a":1}\n```', '{"a":1', "{'a': 1}"])
    expect(reply(text).toolCalls[0]?.function.arguments).toBe('{"a":1}');
  expect(reply('{"a": "half').toolCalls[0]?.function.arguments).toBe('{"a": "half');
});

test.each(['functions.get-date', 'get-date:0', ' get-date', 'get-date<|channel|>commentary'])(
  'the tool %j is found under its own name',
  (name) => {
    const raw = { content: '', toolCalls: [{ ...CALL, function: { name, arguments: '{}' } }] };
    expect(native.reply(raw, REQUEST).toolCalls).toEqual([CALL]);
  },
);

test('a text with a broken call is content, with a problem', () => {
  expect(native.reply({ content: '<tool_call>{', toolCalls: [] }, REQUEST)).toMatchObject({
    content: '<tool_call>{',
    toolCalls: [],
    problem: { code: 'UNREADABLE_CALL' },
  });
});

test('nothing is called where no tools are offered, and an empty reply stays empty', () => {
  expect(native.reply({ content: TEXTUAL, toolCalls: [] }, { messages: MESSAGES, tools: [] })).toEqual({ content: TEXTUAL, toolCalls: [] });
  expect(native.reply({ content: '', toolCalls: [] }, REQUEST)).toEqual({ content: '', toolCalls: [] });
});
