import { expect, test } from 'vitest';
import { callsOf, read, TOOLS } from './tools.fixture.js';
import { readCallsAfterThoughts } from './read-textual-calls.js';

const CALL = '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}</tool_call>';
const BROKEN = '<tool_call>{"name": "add", "arguments": {"a": ...}}</tool_call>';
const SUM = ['add', { a: 1, b: 2 }] as const;

test.each([
  ['the mark in words', 'A model writes <tool_call> before a call, and </tool_call> after it.'],
  ['the mark in backticks', 'Write `<tool_call>` first.\n\nThen `{"name": "add"}`.'],
  ['a call in backticks', `It writes \`${CALL}\` for that.`],
  ['a call in a block of code', `So:\n\`\`\`xml\n${CALL}\n\`\`\`\nThat is all.`],
  ['several calls in a block of code', `So:\n\`\`\`\n${CALL}\n${CALL}\n\`\`\`\nThat is all.`],
  ['a call in a sentence', `It writes ${CALL} for that.`],
  ['calls in a sentence', `First ${CALL} then ${CALL} is how it is done.`],
  ['a call in two backticks', `It writes \`\` ${CALL} \`\` for that.`],
  ['a call in a block of code with tildes', `So:\n~~~\n${CALL}\n~~~\nThat is all.`],
  ['a call in a block of code within another one', `So:\n\`\`\`\`md\n\`\`\`\n${CALL}\n\`\`\`\n\`\`\`\`\nThat is all.`],
  ['a call that cannot be read, in a block of code', `So:\n\`\`\`\n${BROKEN}\n\`\`\`\nThat is all.`],
  ['a call that cannot be read, in a sentence', `It writes ${BROKEN} for that.`],
  ['an unknown tool in a sentence', 'It writes <tool_call>{"name": "rm", "arguments": {}}</tool_call> for that.'],
  ['the mark of Mistral', 'Mistral begins with [TOOL_CALLS] and a list.'],
  ['the mark of Qwen3-Coder', 'Qwen writes <function=name> and <parameter=key>.'],
  ['JSON of a configuration', '{"name": "my-app", "parameters": {"a": 1}}'],
  ['JSON of a configuration that is cut', '{"name": "my-app", "parameters": {"a": '],
  ['JSON in a block of code', '```json\n{"name": "add", "arguments": {"a": 1}}\n```\nis how a call looks.'],
  ['a link with the name of a tool', '[add(a, b)](https://example.org) adds.'],
])('an answer may have %s', (_, text) => {
  expect(read(text)).toEqual({ content: text, calls: [] });
});

test.each([
  ['behind a mention', `I write <tool_call> now.\n${CALL}`],
  ['behind a mention in backticks', `The mark is \`<tool_call>\`:\n${CALL}`],
  ['behind a block of code', `\`\`\`\n<tool_call>{"name": "get-date", "arguments": {}}</tool_call>\n\`\`\`\nSo:\n${CALL}`],
  ['in a block of code that ends the text', `I add:\n\`\`\`xml\n${CALL}\n\`\`\``],
  ['in a block of code without an end', `\`\`\`\n${CALL}`],
])('a call is read %s', (_, text) => {
  expect(callsOf(text)).toEqual([SUM]);
  expect(read(text).problem).toBeUndefined();
});

test('blocks of code within the values of a call are no blocks of the text', () => {
  const write = '<tool_call><function=write_file><parameter=content>\n```\nnot closed\n</parameter></function></tool_call>';
  expect(callsOf(`${write}\n${CALL}\nDone.`)).toEqual([['write_file', { content: '```\nnot closed' }], SUM]);
});

test.each([
  ['Hermes, cut before its arguments', '<tool_call>{"name": "get-date"'],
  ['Hermes, cut in front of its arguments', '<tool_call>\n{"name": "get-date", "arguments": {'],
  ['Hermes, cut in front of a part of its arguments', '<tool_call>{"name": "write_file", "arguments": {"path": "a", "tags": ['],
  ['Hermes, cut in a string', '<tool_call>\n{"name": "get-date", "arguments": {"timezone": "Asia/To'],
  ['Hermes, with dots', BROKEN],
  ['Hermes, behind words', `I add.\n${BROKEN}\nThe sum is 3.`],
  ['Hermes, at the end of a line', `I add: ${BROKEN}`],
  ['Hermes, in a block of code that ends the text', `\`\`\`\n${BROKEN}\n\`\`\``],
  ['Llama 3, cut', '{"name": "get-date", "parameters": {"timezone": "Asia/To'],
  ['Llama 3, with its type', '{"type": "function", "name": "add", "parameters": {"a": 1 + 1}}'],
  ['Mistral without its mark, cut', '[{"name": "get-date", "arguments": {"timezone": "Asia/To'],
  ['the pythonic form, without names', '[add(1, 2)]'],
  ['the pythonic form, cut', "[add(a=1, b=2), get-date(timezone='Asia"],
  ['the pythonic form, with an expression', '[add(a=1 + 1, b=2)]'],
])('what was meant as a call in the form of %s, and cannot be read, is a problem', (_, text) => {
  expect(read(text)).toMatchObject({ content: text, calls: [], problem: { code: 'UNREADABLE_CALL' } });
});

test.each([
  ['{"name": "add", "parameters": {"a": 1, "b": 2}}; {"name": "rm", "parameters": {}}'],
  ['[add(a=1, b=2), rm(path="/")]'],
  ['I clean up.\n<tool_call>{"name": "rm", "arguments": {}}</tool_call>'],
])('a call of an unknown tool is a problem: %s', (text) => {
  expect(read(text)).toMatchObject({ content: text, calls: [], problem: { code: 'UNKNOWN_TOOL' } });
});

const afterThoughts = (text: string) => readCallsAfterThoughts(text, { tools: TOOLS, idOf: String });

test('a call that ends thoughts is one', () => {
  expect(afterThoughts(`I add.\n${CALL}\n${CALL}<|im_end|>`)).toMatchObject({ content: 'I add.', calls: [{ id: '0' }, { id: '1' }] });
  expect(afterThoughts(`I might ${CALL} or not. No:\n${CALL}`)).toMatchObject({ calls: [{ id: '0' }] });
});

test.each([`I might ${CALL} or not.`, `${CALL}\nThat gives 3.`, 'Nothing.', BROKEN, ''])(
  'thoughts without a call at their end have none: %s',
  (text) => {
    expect(afterThoughts(text)).toEqual({ content: text, calls: [] });
  },
);
