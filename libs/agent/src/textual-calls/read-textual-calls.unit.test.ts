import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTextualCalls } from './read-textual-calls.js';
import { callsOf, read, TOOLS } from './tools.fixture.js';

const CALL = '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}</tool_call>';

test('words before the first call are content, and what follows a call is left out', () => {
  expect(read(`I look it up.\n\n${CALL}`)).toMatchObject({ content: 'I look it up.', calls: [{ id: 'id-0' }] });
  expect(read(`${CALL}\nThe sum is 3.`)).toMatchObject({ content: '', calls: [{ id: 'id-0' }] });
  expect(read(`First ${CALL}\nthen ${CALL}${CALL}\ndone`)).toMatchObject({
    content: 'First',
    calls: [{ id: 'id-0' }, { id: 'id-1' }, { id: 'id-2' }],
  });
});

test('calls behind a result that the model invented are not read', () => {
  const text = `${CALL}\n<tool_response>\n7\n</tool_response>\n<tool_call>{"name": "get-date", "arguments": {}}</tool_call>`;
  expect(callsOf(text)).toEqual([['add', { a: 1, b: 2 }]]);
  expect(callsOf(`<tool_response> is where results come. ${CALL}`)).toHaveLength(1);
});

test.each(['', '  ', 'It is Saturday.\n', '<p>HTML</p>', 'Use <tool_response>.', 'x < y [1] {2}</s>', '</tool_call>', '```\n[TOOL]\n```'])(
  'a text without calls stays as it is: %j',
  (text) => {
    expect(read(text)).toEqual({ content: text, calls: [] });
  },
);

test.each([
  '<tool_call>{"name": "rm", "arguments": {"path": "/"}}</tool_call>',
  '<tool_call><function=rm><parameter=path>/</parameter></function></tool_call>',
  '<tool_call>rm<arg_key>path</arg_key><arg_value>/</arg_value></tool_call>',
  '[TOOL_CALLS][{"name": "rm", "arguments": {"path": "/"}}]',
  '[TOOL_CALLS]rm[ARGS]{"path": "/"}',
  '<|python_tag|>{"name": "rm", "parameters": {"path": "/"}}',
  '<｜tool▁call▁begin｜>rm<｜tool▁sep｜>{"path": "/"}<｜tool▁call▁end｜>',
  '<|python_start|>[rm(path="/")]<|python_end|>',
  '<tool_call>{"name": "constructor", "arguments": {}}</tool_call>',
  '<tool_call>{"name": "ADD", "arguments": {"a": 1, "b": 2}}</tool_call>',
])('a call of a tool that is not listed stays text, and that is a problem: %s', (text) => {
  expect(read(text)).toMatchObject({ content: text, calls: [], problem: { code: 'UNKNOWN_TOOL' } });
});

test('calls beside one that cannot be used are read, and the first problem is returned', () => {
  const unknown = '<tool_call>{"name": "rm", "arguments": {}}</tool_call>';
  expect(read(`${unknown}<tool_call>{broken}</tool_call>${CALL}`)).toEqual({
    content: `${unknown}<tool_call>{broken}</tool_call>`,
    calls: [{ id: 'id-0', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } }],
    problem: { code: 'UNKNOWN_TOOL', message: expect.stringContaining('rm') },
  });
});

test('what a broken call quotes is not called', () => {
  const quoting = `<tool_call>{"name": "write_file", "arguments": {"content": 'Try ${CALL}'}}</tool_call>`;
  expect(read(quoting)).toMatchObject({ calls: [], problem: { code: 'UNREADABLE_CALL' } });
  expect(read(`<tool_call>{cut ${CALL.replace('</tool_call>', '')}`)).toMatchObject({ calls: [] });
});

test('a problem is described on one line, with the beginning of the call', () => {
  const { problem } = read(`<tool_call>\n{${'x'.repeat(500)}}\n</tool_call>`);
  expect(problem?.message).toMatch(/^The model wrote a call that cannot be read: <tool_call> \{x+…$/);
  expect(problem?.message.length).toBeLessThan(300);
});

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const given = fc.dictionary(fc.string(), json).map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
const calls = fc.array(fc.tuple(fc.constantFrom(...TOOLS.map(({ name }) => name)), given), { minLength: 1, maxLength: 4 });

test('any calls are read as they were written, in each form that carries JSON', () => {
  fc.assert(
    fc.property(calls, fc.constantFrom('', 'Words before.'), (wanted, words) => {
      const objects = wanted.map(([name, values]) => JSON.stringify({ name, arguments: values }));
      const forms = [
        objects.map((object) => `<tool_call>\n${object}\n</tool_call>`).join('\n'),
        `[TOOL_CALLS][${objects.join(', ')}]`,
        wanted.map(([name, values]) => `[TOOL_CALLS]${name}[ARGS]${JSON.stringify(values)}`).join(''),
        `<|python_tag|>${objects.join('; ')}`,
        wanted.map(([name, values]) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${JSON.stringify(values)}<｜tool▁call▁end｜>`).join(''),
      ];
      for (const form of forms) {
        expect(callsOf(words + form)).toEqual(wanted);
        expect(read(words + form).content).toBe(words);
      }
    }),
  );
});

/** Text made of what the forms are made of. */
const PIECES = [
  '<tool_call> </tool_call> <function=add> </function> <parameter=a> </parameter> <arg_key> </arg_key> <arg_value> </arg_value>',
  '[TOOL_CALLS] [ARGS] <|python_tag|> <｜tool▁call▁begin｜> <｜tool▁sep｜> <｜tool▁call▁end｜> <tool_response> add (a=1)',
  '{"name":"add","arguments":{"a":1}} {"name": "add" { } [ ] " \' \\ , ; 🗼 1',
].flatMap((line) => line.split(' '));
const pieces = fc.constantFrom('\n', ' ', ...PIECES);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
);

test('no text is too strange, and a text without calls loses nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const reply = read(text);
      if (reply.calls.length === 0) expect(reply.content).toBe(text);
      else expect(text).toContain(reply.content);
      for (const call of reply.calls) expect(TOOLS.map(({ name }) => name)).toContain(call.function.name);
      expect(read(text)).toEqual(reply);
    }),
    { numRuns: 2000 },
  );
});

test('without tools, nothing is called', () => {
  expect(readTextualCalls(CALL, { tools: [], idOf: String })).toMatchObject({ content: CALL, calls: [] });
});
