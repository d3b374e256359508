import { expect, test } from 'vitest';
import { callsOf, read } from './tools.fixture.js';

function qwen(name: string, ...parameters: readonly (readonly [string, string])[]): string {
  const lines = parameters.map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`);
  return `<tool_call>\n<function=${name}>\n${lines.join('')}</function>\n</tool_call>`;
}

function glm(name: string, ...parameters: readonly (readonly [string, string])[]): string {
  const lines = parameters.map(([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`);
  return `<tool_call>${name}\n${lines.join('')}</tool_call>`;
}

const TOKYO = ['get-date', { timezone: 'Asia/Tokyo' }] as const;

test.each([
  ['as the template writes it', qwen('get-date', ['timezone', 'Asia/Tokyo'])],
  ['on one line', '<tool_call><function=get-date><parameter=timezone>Asia/Tokyo</parameter></function></tool_call>'],
  ['without the last tag', '<tool_call>\n<function=get-date>\n<parameter=timezone>\nAsia/Tokyo\n</parameter>\n</function>\n'],
  ['without the last two tags', '<tool_call>\n<function=get-date>\n<parameter=timezone>\nAsia/Tokyo\n</parameter>\n'],
  ['without the end of the function', '<tool_call><function=get-date><parameter=timezone>Asia/Tokyo</parameter></tool_call>'],
  ['without the tag around it', '<function=get-date>\n<parameter=timezone>\nAsia/Tokyo\n</parameter>\n</function>\n</tool_call>'],
])('a call of Qwen3-Coder is read %s', (_, text) => {
  expect(callsOf(text)).toEqual([TOKYO]);
  expect(read(text)).toMatchObject({ content: '' });
  expect(read(text).problem).toBeUndefined();
});

test.each([
  ['as the template writes it', glm('get-date', ['timezone', 'Asia/Tokyo'])],
  ['on one line', '<tool_call>get-date<arg_key>timezone</arg_key><arg_value>Asia/Tokyo</arg_value></tool_call>'],
  ['with the name on its own line', '<tool_call>\nget-date\n<arg_key>timezone</arg_key>\n<arg_value>Asia/Tokyo</arg_value>\n</tool_call>'],
  ['unclosed at the end', '<tool_call>get-date\n<arg_key>timezone</arg_key>\n<arg_value>Asia/Tokyo</arg_value>\n'],
])('a call of GLM is read %s', (_, text) => {
  expect(callsOf(text)).toEqual([TOKYO]);
  expect(read(text)).toMatchObject({ content: '' });
  expect(read(text).problem).toBeUndefined();
});

test('calls without parameters are read if something says that they are complete', () => {
  for (const text of [qwen('get-date'), glm('get-date'), '<tool_call>get-date</tool_call>', '<function=get-date></function>']) {
    expect(callsOf(text)).toEqual([['get-date', {}]]);
  }
  for (const text of ['<tool_call>get-date', '<tool_call><function=get-date>', '<tool_call>add\n', '<function=add']) {
    expect(read(text)).toMatchObject({ content: text, calls: [], problem: { code: 'UNREADABLE_CALL' } });
  }
});

test('several calls of a message are read, of different forms too', () => {
  const text = `${qwen('get-date')}\n${glm('add', ['a', '1'], ['b', '2'])}\n<tool_call>{"name":"get-date","arguments":{}}</tool_call>`;
  expect(callsOf(text)).toEqual([
    ['get-date', {}],
    ['add', { a: 1, b: 2 }],
    ['get-date', {}],
  ]);
});

const VALUES: readonly (readonly [key: string, text: string, value: unknown])[] = [
  ['path', '42', '42'],
  ['path', 'null', 'null'],
  ['path', '"quoted"', '"quoted"'],
  ['path', '', ''],
  ['path', '  indented  ', '  indented  '],
  ['mode', '420', 420],
  ['mode', 'null', null],
  ['mode', 'None', null],
  ['mode', 'four', 'four'],
  ['mode', '1.5', '1.5'],
  ['overwrite', 'true', true],
  ['overwrite', 'True', true],
  ['overwrite', 'False', false],
  ['overwrite', 'yes', 'yes'],
  ['tags', '["a", "b"]', ['a', 'b']],
  ['tags', "['a', 'b']", ['a', 'b']],
  ['tags', '[]', []],
  ['tags', 'a, b', 'a, b'],
  ['options', '{"deep": {"x": [1]}}', { deep: { x: [1] } }],
  ['options', "{'deep': None}", { deep: null }],
  ['anything', '{"a": 1}', { a: 1 }],
  ['anything', '12', 12],
  ['anything', 'plain words', 'plain words'],
  ['unheard_of', 'true', true],
  ['__proto__', 'x', 'x'],
];

test.each(VALUES)('the value of "%s" written as %j is %j', (key, text, value) => {
  const given = Object.fromEntries([[key, value]]);
  expect(callsOf(qwen('write_file', [key, text]))).toEqual([['write_file', given]]);
  expect(callsOf(glm('write_file', [key, text]))).toEqual([['write_file', given]]);
});

test.each([
  ['line breaks, of which only the outer ones belong to the form', '\n  if (a < b) {\n    return "<p>";\n  }\n'],
  ['other characters', 'Größe 東京 🗼'],
  ['JSON', '{"a": "b"}'],
  ['closing tags with words behind them', 'ends with </parameter> or </arg_value>, as the form says'],
  ['opening tags', '<parameter=a> <arg_key>b <function=get-date> <tool_call>'],
  ['the end of a call', 'a </tool_call> b </function> c'],
])('a string may have %s in it', (_, content) => {
  expect(callsOf(qwen('write_file', ['content', content], ['path', 'a']))).toEqual([['write_file', { content, path: 'a' }]]);
  expect(callsOf(glm('write_file', ['content', content], ['path', 'a']))).toEqual([['write_file', { content, path: 'a' }]]);
});

test.each(['<function=write_file><parameter=path>a</parameter>', '<tool_call>write_file<arg_key>path</arg_key><arg_value>a</arg_value>'])(
  'a call whose end is missing is none where the text was cut off, because more arguments might have come: %s',
  (text) => {
    expect(read(text).calls).toHaveLength(1);
    expect(read(text, true)).toMatchObject({ calls: [], problem: { code: 'UNREADABLE_CALL' } });
  },
);

test.each([
  ['a value of Qwen3-Coder is cut', '<tool_call><function=write_file><parameter=content>half of a fi'],
  ['a value of GLM is cut', '<tool_call>write_file\n<arg_key>content</arg_key>\n<arg_value>half of a fi'],
  ['a key of GLM is cut', '<tool_call>write_file\n<arg_key>cont'],
  ['a key of GLM has no value', '<tool_call>write_file<arg_key>content</arg_key></tool_call>'],
  ['something else stands in the function', '<tool_call><function=write_file>path: a</function></tool_call>'],
  ['the function has no name', '<tool_call><function=></function></tool_call>'],
  ['words stand where the name of GLM is expected', '<tool_call>call the tool add please</tool_call>'],
])('nothing is called where %s', (_, text) => {
  expect(read(text)).toMatchObject({ content: text, calls: [], problem: { code: 'UNREADABLE_CALL' } });
});
