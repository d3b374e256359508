import { expect, test } from 'vitest';
import { separateReasoning } from './separate-reasoning.js';
import { searchOf } from './text-search.js';
import { read } from './tools.fixture.js';

test('a search finds what an index search finds, from places that go up', () => {
  const text = 'a--b--c';
  const search = searchOf(text, '--');
  expect([0, 1, 2, 4, 5, 7].map(search)).toEqual([1, 1, 4, 4, -1, -1]);
  const even = searchOf(text, '-', (index) => index % 2 === 0);
  expect([0, 2, 3, 5].map(even)).toEqual([2, 2, 4, -1]);
});

const FORMS = {
  'openings without an end': '<tool_call>',
  'openings of JSON': '<tool_call>{',
  'openings with a string': '<tool_call>{"',
  'openings with an escaped quote': '<tool_call>{"\\"',
  'broken calls': '<tool_call>{"name": "add", "arguments": {x}}</tool_call>',
  brackets: '[',
  braces: '{"a":',
  'brackets of calls': '[TOOL_CALLS][',
  'calls of unknown tools': '<tool_call>{"name": "rm", "arguments": {}}</tool_call>',
  'parameters without an end': '<tool_call><function=add><parameter=a></tool_call>',
  'ends of parameters that do not count': '<tool_call><function=add><parameter=a></tool_call></parameter>x',
  'keys without an end': '<tool_call>add<arg_key></tool_call>',
  'keys that share an end': '<tool_call>add<arg_key>a</arg_key><arg_value></tool_call>',
  'Mistral calls without JSON': '[TOOL_CALLS]add[ARGS]',
  'names of Mistral calls': '[TOOL_CALLS]a{"',
  'Python lists': '<|python_tag|>[add(a=',
  'Python strings': "<|python_tag|>[add(a='",
  'Python strings of both kinds': `<|python_tag|>[add(a="'`,
  'nested Python lists': '<|python_start|>[add(a=[',
  'DeepSeek calls without an end': '<｜tool▁call▁begin｜>add<｜tool▁sep｜>{',
  'white space': ' \n',
  'white space in calls': '<tool_call> ',
  'white space behind ends': '</parameter>        ',
  'ends of messages': '</s> ',
  reasoning: '<think></think>',
  'reasoning without an end': '<think>',
};

/** Milliseconds of this process's processor that it takes to read a text, the best of several times. */
function cost(text: string): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    read(separateReasoning(text).content);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

test.each(Object.entries(FORMS))('time grows with the length and no faster: %s', (_, piece) => {
  const text = (characters: number, tail: string) => `a${piece.repeat(characters / piece.length)}${tail}`;
  for (const tail of ['', '</parameter>x', '"}']) {
    const small = cost(text(50_000, tail));
    const large = cost(text(400_000, tail));
    // Eight times the text; what grew with its square would take 64 times as long.
    expect(large, `${String(small)} ms, then ${String(large)} ms`).toBeLessThan(20 * Math.max(small, 2));
  }
});

test.each(['{', '[', '<tool_call>[', '<|python_tag|>[add(a='])('200 kB of nested brackets are read in milliseconds: %s', (opening) => {
  const text = `${opening}${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(read(text).calls).toEqual([]);
  expect(cost(text)).toBeLessThan(100);
});
