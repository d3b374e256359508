import { expect, test } from 'vitest';
import { callsOf, read } from './tools.fixture.js';

const TOKYO = ['get-date', { timezone: 'Asia/Tokyo' }] as const;
const SUM = ['add', { a: 1, b: 2 }] as const;

test.each([
  ['one', '[TOOL_CALLS]get-date[ARGS]{"timezone": "Asia/Tokyo"}', [TOKYO]],
  ['one with an id', '[TOOL_CALLS]get-date[CALL_ID]a1B2c3D4e[ARGS]{"timezone": "Asia/Tokyo"}</s>', [TOKYO]],
  ['one whose token for arguments is left out', '[TOOL_CALLS]get-date{"timezone": "Asia/Tokyo"}', [TOKYO]],
  ['several', '[TOOL_CALLS]get-date[ARGS]{"timezone": "Asia/Tokyo"}[TOOL_CALLS]add[ARGS]{"a": 1, "b": 2}', [TOKYO, SUM]],
  ['behind words', 'I look it up.[TOOL_CALLS]add[ARGS]{"a": 1, "b": 2}', [SUM]],
])('calls of newer Mistral models are read: %s', (_, text, calls) => {
  expect(callsOf(text)).toEqual(calls);
});

const one = '<｜tool▁call▁begin｜>get-date<｜tool▁sep｜>{"timezone": "Asia/Tokyo"}<｜tool▁call▁end｜>';
const other = '<｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 1, "b": 2}<｜tool▁call▁end｜>';

test.each([
  ['one', one, [TOKYO], ''],
  ['one in its frame', `<｜tool▁calls▁begin｜>${one}<｜tool▁calls▁end｜><｜end▁of▁sentence｜>`, [TOKYO], ''],
  ['several', `I look.\n<｜tool▁calls▁begin｜>${one}${other}<｜tool▁calls▁end｜>`, [TOKYO, SUM], 'I look.'],
  ['with line breaks', one.replace('<｜tool▁sep｜>', '<｜tool▁sep｜>\n'), [TOKYO], ''],
  ['unclosed at the end', `${other}${one.replace('<｜tool▁call▁end｜>', '')}`, [SUM, TOKYO], ''],
])('calls of DeepSeek V3.1 are read: %s', (_, text, calls, content) => {
  expect(callsOf(text)).toEqual(calls);
  expect(read(text)).toMatchObject({ content });
});

test.each([
  ['[TOOL_CALLS]get-date[ARGS]{"timezone": "Asia/To'],
  ['[TOOL_CALLS]get-date[ARGS]Asia/Tokyo'],
  ['[TOOL_CALLS]'],
  ["[TOOL_CALLS]get-date[ARGS]{'timezone': 1}"],
  ['<｜tool▁call▁begin｜>get-date<｜tool▁sep｜>{"timezone": "Asia/To'],
  ['<｜tool▁call▁begin｜>get-date<｜tool▁sep｜>[1]<｜tool▁call▁end｜>'],
  ['<｜tool▁call▁begin｜>get-date'],
  ['<｜tool▁call▁begin｜>get-date<｜tool▁sep｜>{} words<｜tool▁call▁end｜>'],
])('%s stays text, and that is a problem to log', (text) => {
  expect(read(text)).toMatchObject({ content: text, calls: [], problem: { code: 'UNREADABLE_CALL' } });
});
