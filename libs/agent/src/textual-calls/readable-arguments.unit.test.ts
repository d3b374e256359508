import { expect, test } from 'vitest';
import { readableArguments } from './readable-arguments.js';

const OBJECT = { path: 'a "b"', n: 1 };
const TEXT = JSON.stringify(OBJECT);

test.each([
  ['encoded twice', JSON.stringify(TEXT)],
  ['encoded three times', JSON.stringify(JSON.stringify(TEXT))],
  ['in a block of code', `\`\`\`json\n${TEXT}\n\`\`\``],
  ['in a block of code, encoded twice', JSON.stringify(`\`\`\`\n${TEXT}\n\`\`\``)],
  ['as Python writes them', `{'path': 'a "b"', 'n': 1}`],
  ['with a comma too much', `${TEXT.slice(0, -1)},}`],
  ['after an empty object', `{}${TEXT}`],
  ['without the last bracket', TEXT.slice(0, -1)],
])('arguments are read that come %s', (_, text) => {
  expect(JSON.parse(readableArguments(text, false))).toEqual(OBJECT);
});

test('arguments may have line breaks in their strings', () => {
  expect(readableArguments('{"text": "one\ntwo \\/ \\u00e4"}', false)).toBe('{"text":"one\\ntwo / ä"}');
});

test.each([
  ['{"a": 1}'],
  [' {"a":1}\n'],
  ['[1]'],
  ['1 and 2'],
  ['"plain words"'],
  [''],
  ['{"a": "half of a te'],
  ['{"a": tru'],
  ['{'],
  ['{"a": ['],
  ['{"a": 1}{"a": 2}'],
  ['{"a": 1} and so on'],
  ['{"a": 1] '],
  ['``````'],
])('%j is left as it is', (text) => {
  expect(readableArguments(text, false)).toBe(text);
});

test('null stands for no arguments', () => {
  expect(readableArguments(' null ', false)).toBe('{}');
});

test('nothing is added to arguments that were cut off: more might have come', () => {
  expect(readableArguments('{"mode": 6', true)).toBe('{"mode": 6');
  expect(readableArguments('{"mode": 6', false)).toBe('{"mode":6}');
});
