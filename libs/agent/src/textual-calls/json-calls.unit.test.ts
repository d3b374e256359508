import { expect, test } from 'vitest';
import { callsOf, read } from './tools.fixture.js';

const TOKYO = ['get-date', { timezone: 'Asia/Tokyo' }] as const;
const SUM = ['add', { a: 1, b: 2 }] as const;

test.each([
  ['on lines of its own', '<tool_call>\n{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}\n</tool_call>'],
  ['on one line', '<tool_call>{"name":"get-date","arguments":{"timezone":"Asia/Tokyo"}}</tool_call>'],
  ['with the arguments first', '<tool_call>\n{"arguments": {"timezone": "Asia/Tokyo"}, "name": "get-date"}\n</tool_call>'],
  ['unclosed at the end', '<tool_call>\n{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}\n'],
  ['with the arguments as a string', '<tool_call>{"name": "get-date", "arguments": "{\\"timezone\\": \\"Asia/Tokyo\\"}"}</tool_call>'],
  ['with parameters', '<tool_call>{"name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}}</tool_call>'],
  ['in a list', '<tool_call>[{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}]</tool_call>'],
  ['with a special token behind it', '<tool_call>{"name":"get-date","arguments":{"timezone":"Asia/Tokyo"}}</tool_call><|im_end|>'],
  [
    'as an endpoint would write it',
    '<tool_call>{"type":"function","function":{"name":"get-date","arguments":{"timezone":"Asia/Tokyo"}}}</tool_call>',
  ],
])('a call of Hermes or Qwen2.5 is read %s', (_, text) => {
  expect(callsOf(text)).toEqual([TOKYO]);
  expect(read(text)).toMatchObject({ content: '' });
  expect(read(text).problem).toBeUndefined();
});

test.each([
  [
    'closed',
    '<tool_call>\n{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}\n</tool_call>\n<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>',
  ],
  [
    'the last one unclosed',
    '<tool_call>{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}</tool_call><tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}',
  ],
  [
    'none closed',
    '<tool_call>{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}\n<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}',
  ],
  [
    'in one block',
    '<tool_call>\n{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>',
  ],
])('several calls of a message are read, %s', (_, text) => {
  expect(callsOf(text)).toEqual([TOKYO, SUM]);
  expect(read(text).calls.map(({ id }) => id)).toEqual(['id-0', 'id-1']);
});

test.each([
  ['braces and brackets', '}]{["{"name": "add"}'],
  ['quotes and backslashes', 'say "hi" \\ and \\"'],
  ['closing tags', '</tool_call> <tool_call>{"name":"add","arguments":{}}</tool_call>'],
  ['other characters', 'Größe 東京 🗼 \u2028 \u0000'],
  ['line breaks', 'one\ntwo\r\n\tthree'],
])('arguments may have %s in their strings', (_, content) => {
  const call = JSON.stringify({ name: 'write_file', arguments: { content, deep: { list: [[{}], content] } } });
  expect(callsOf(`<tool_call>\n${call}\n</tool_call>`)).toEqual([['write_file', { content, deep: { list: [[{}], content] } }]]);
  expect(callsOf(`[TOOL_CALLS][${call}]`)).toHaveLength(1);
  expect(callsOf(`<|python_tag|>${call}`)).toHaveLength(1);
});

test('a call without arguments has none', () => {
  expect(read('<tool_call>{"name": "get-date"}</tool_call>').calls).toEqual([
    { id: 'id-0', type: 'function', function: { name: 'get-date', arguments: '{}' } },
  ]);
  expect(callsOf('<tool_call>{"name": "get-date", "arguments": null}</tool_call>')).toEqual([['get-date', {}]]);
  expect(callsOf('<tool_call>{"name": "get-date", "arguments": ""}</tool_call>')).toEqual([['get-date', {}]]);
});

test('arguments that are no object are left to the check of the arguments', () => {
  expect(read('<tool_call>{"name": "add", "arguments": [1, 2]}</tool_call>').calls[0]?.function.arguments).toBe('[1,2]');
  expect(read('<tool_call>{"name": "add", "arguments": "1 and 2"}</tool_call>').calls[0]?.function.arguments).toBe('1 and 2');
});

test.each([
  ['Hermes', '<tool_call>\n{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}\n</tool_call>', [TOKYO]],
  ['Hermes, also without the tag', '<tool_call>{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}', [TOKYO]],
  ['Hermes, without two', '<tool_call>{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"</tool_call>', [TOKYO]],
  [
    'Hermes, in the first of two calls',
    '<tool_call>{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}</tool_call>\n<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}</tool_call>',
    [TOKYO, SUM],
  ],
  ['Hermes, in a list', '<tool_call>[{"name": "add", "arguments": {"a": 1, "b": [2]}</tool_call>', [['add', { a: 1, b: [2] }]]],
  ['Hermes, in a block of code', '<tool_call>\n```json\n{"name": "add", "arguments": {"a": 1, "b": 2}\n```\n</tool_call>', [SUM]],
  ['Llama 3', '{"name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}', [TOKYO]],
  ['Llama 3 with its tag', '<|python_tag|>{"name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}<|eom_id|>', [TOKYO]],
  ['older Mistral models', '[TOOL_CALLS][{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}', [TOKYO]],
  ['newer Mistral models', '[TOOL_CALLS]add[ARGS]{"a": 1, "b": 2}[TOOL_CALLS]add[ARGS]{"a": 1, "b": 2', [SUM, SUM]],
  ['DeepSeek', '<｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 1, "b": 2<｜tool▁call▁end｜>', [SUM]],
])('a call whose last brackets are missing is read in the form of %s', (_, text, calls) => {
  expect(callsOf(text)).toEqual(calls);
  expect(read(text).problem).toBeUndefined();
});

test('brackets may not be missing where the text was cut off: more might have come', () => {
  const cut = '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2';
  expect(read(cut, true)).toMatchObject({ calls: [], problem: { code: 'UNREADABLE_CALL' } });
  expect(read(`${cut}</tool_call>\n<tool_call>{"na`, true)).toMatchObject({ calls: [{ function: { name: 'add' } }] });
});

test('a call is read from a block of code within its tags', () => {
  expect(callsOf('<tool_call>\n```json\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n```\n</tool_call>')).toEqual([SUM]);
});

test.each([
  ['is not JSON', '<tool_call>{not json}</tool_call>'],
  ['has single quotes', "<tool_call>{'name': 'get-date', 'arguments': {}}</tool_call>"],
  ['has a brace too much', '<tool_call>{"name": "get-date", "arguments": {}}}</tool_call>'],
  ['has no name', '<tool_call>{"arguments": {}}</tool_call>'],
  ['has a name that is no string', '<tool_call>{"name": 1, "arguments": {}}</tool_call>'],
  ['is cut', '<tool_call>\n{"name": "get-date", "arguments": {"timezone": "Asia/To'],
  ['is empty', '<tool_call></tool_call>'],
  ['has words behind it', '<tool_call>{"name": "get-date", "arguments": {}} and so on'],
  ['is nested too deeply', `<tool_call>{"name": "add", "arguments": {"a": ${'['.repeat(200)}${']'.repeat(200)}}}</tool_call>`],
])('a call that %s stays text, and that is a problem', (_, text) => {
  expect(read(text)).toMatchObject({ content: text, calls: [], problem: { code: 'UNREADABLE_CALL' } });
  expect(read(text).problem?.message).toContain(text.replace(/\s+/g, ' ').slice(0, 30));
});

test.each([
  ['one', '[TOOL_CALLS][{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}]', [TOKYO]],
  ['one with an id', '[TOOL_CALLS] [{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}, "id": "9Ae3bDc2F"}]</s>', [TOKYO]],
  [
    'several',
    '[TOOL_CALLS][{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}, {"arguments":{"a": 1, "b": 2}, "name": "add"}]',
    [TOKYO, SUM],
  ],
  [
    'several, with the list unclosed',
    '[TOOL_CALLS][{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}, {"name": "add", "arguments": {"a": 1, "b": 2}}',
    [TOKYO, SUM],
  ],
  ['an object without a list', '[TOOL_CALLS]{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}', [TOKYO]],
  ['one whose special token the endpoint left out', ' [{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}]', [TOKYO]],
])('calls of older Mistral models are read: %s', (_, text, calls) => {
  expect(callsOf(text)).toEqual(calls);
  expect(read(text)).toMatchObject({ content: '' });
});

test('calls before the place where a list was cut are read, and the cut one is a problem', () => {
  const reply = read('[TOOL_CALLS][{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}, {"name": "add", "argum');
  expect(reply.calls).toHaveLength(1);
  expect(reply.problem).toMatchObject({ code: 'UNREADABLE_CALL' });
});

test.each([
  ['with parameters', '{"name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}}', [TOKYO]],
  ['with arguments', '{"name": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}', [TOKYO]],
  ['with its type', '{"type": "function", "name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}}', [TOKYO]],
  ['with the tag', '<|python_tag|>{"name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}}<|eom_id|>', [TOKYO]],
  ['with the tag on a line of its own', '<|python_tag|>\n{"name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}}\n', [TOKYO]],
  [
    'joined by semicolons',
    '{"name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}}; {"name": "add", "parameters": {"a": 1, "b": 2}}',
    [TOKYO, SUM],
  ],
  [
    'joined by semicolons behind the tag',
    '<|python_tag|>{"name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}}; {"name": "add", "parameters": {"a": 1, "b": 2}}',
    [TOKYO, SUM],
  ],
  [
    'with a tag each',
    '<|python_tag|>{"name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}}; <|python_tag|>{"name": "add", "parameters": {"a": 1, "b": 2}}',
    [TOKYO, SUM],
  ],
  ['behind words and the tag', 'Let me look.<|python_tag|>{"name": "get-date", "parameters": {"timezone": "Asia/Tokyo"}}', [TOKYO]],
])('calls of Llama 3 are read %s', (_, text, calls) => {
  expect(callsOf(text)).toEqual(calls);
});

test.each([
  ['an answer in JSON', '{"city": "Tokyo", "date": "2026-03-14"}'],
  ['an answer in JSON that has a name', '{"name": "add"}'],
  ['a list of names', '[{"name": "get-date"}, {"name": "add"}]'],
  ['words before it', 'The call is {"name": "add", "parameters": {"a": 1, "b": 2}}'],
  ['words after it', '{"name": "add", "parameters": {"a": 1, "b": 2}} adds two numbers.'],
  ['a code fence', '```json\n{"name": "add", "parameters": {"a": 1, "b": 2}}\n```'],
])('JSON without a mark is text unless it is calls and nothing else: %s', (_, text) => {
  expect(read(text)).toEqual({ content: text, calls: [] });
});
