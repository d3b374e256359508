import { expect, test } from 'vitest';
import { parsePython } from './python-value.js';
import { callsOf, read } from './tools.fixture.js';

test.each([
  ['one', "[get-date(timezone='Asia/Tokyo')]", [['get-date', { timezone: 'Asia/Tokyo' }]]],
  [
    'several',
    "[add(a=1, b=2), write_file(path='x', overwrite=True)]",
    [
      ['add', { a: 1, b: 2 }],
      ['write_file', { path: 'x', overwrite: true }],
    ],
  ],
  ['without arguments', '[get-date()]', [['get-date', {}]]],
  ['on several lines', '[\n  add(\n    a=1,\n    b=-2.5,\n  ),\n]\n', [['add', { a: 1, b: -2.5 }]]],
  ['between tokens of Llama 4', '<|python_start|>[add(a=1, b=2)]<|python_end|><|eot_id|>', [['add', { a: 1, b: 2 }]]],
  ['behind the tag of Llama 3', '<|python_tag|>[add(a=1, b=2)]', [['add', { a: 1, b: 2 }]]],
  ['with the list unclosed', '[add(a=1, b=2)', [['add', { a: 1, b: 2 }]]],
  ['with brackets in a string', '[write_file(content=\'f(x)[0], "y" }\')]', [['write_file', { content: 'f(x)[0], "y" }' }]]],
])('pythonic calls are read: %s', (_, text, calls) => {
  expect(callsOf(text)).toEqual(calls);
  expect(read(text)).toMatchObject({ content: '' });
});

test.each([
  ['a list of values', '[1, 2, 3]'],
  ['a link', '[add](https://example.org)'],
  ['an unknown tool', '[rm(path="/")]'],
  ['words around it', 'Then [add(a=1, b=2)] is called.'],
  ['words behind it', '[add(a=1, b=2)] is called.'],
  ['no list', 'add(a=1, b=2)'],
  ['nothing', '[]'],
])('%s is text', (_, text) => {
  expect(read(text)).toEqual({ content: text, calls: [] });
});

test.each([
  ["'it\\'s'", "it's"],
  [`"say 'hi'"`, "say 'hi'"],
  ["'tab\\tline\\n back\\\\slash'", 'tab\tline\n back\\slash'],
  ["'\\x41\\u00e4\\U0001F5FC'", 'Aä🗼'],
  ["'\\d'", '\\d'],
  ["'two\nlines'", 'two\nlines'],
  ['-1.5e3', -1500],
  ['.5', 0.5],
  ['(1, [2, ()], {})', [1, [2, []], {}]],
  ["{'a': {1: None}, 'b': [True, false]}", { a: { 1: null }, b: [true, false] }],
  ["{'__proto__': 1}", Object.fromEntries([['__proto__', 1]])],
])('the literal %s is %j', (text, value) => {
  expect(parsePython(text)).toEqual(value);
});

test.each([
  "'open",
  "'\\U00110000'",
  '1e999',
  '--1',
  '[1, , 2]',
  '{1}',
  '{[]: 1}',
  'None None',
  'toString',
  '',
  '[',
  "'''",
  '['.repeat(200),
])('%j is no literal', (text) => {
  expect(parsePython(text)).toBeUndefined();
});
