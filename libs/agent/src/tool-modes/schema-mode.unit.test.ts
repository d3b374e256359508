import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message, ToolCall } from '../conversation/messages.js';
import type { ChatRequest } from '../model/chat-model.js';
import { TOOLS } from '../textual-calls/tools.fixture.js';
import type { ReadReply } from './tool-mode.js';
import { toolModes } from './tool-modes.js';
import { unionSchema } from './union-schema.js';

const { schema } = toolModes;
/** The text of a message that has no parts. */
function textOf(message: Message | undefined): string {
  return typeof message?.content === 'string' ? message.content : '';
}

const QUESTION: Message = { role: 'user', content: 'Which day is it?' };
const REQUEST: ChatRequest = { messages: [QUESTION], tools: TOOLS };
const OUTPUT = { type: 'object', properties: { day: { type: 'string' } } };

function call(name: string, given: string): ToolCall {
  return { id: 'a', type: 'function', function: { name, arguments: given } };
}

function read(content: string, request = REQUEST): ReadReply {
  return schema.reply({ content, toolCalls: [] }, request);
}

function contents(messages: readonly Message[], request: Partial<ChatRequest> = {}): unknown[] {
  const shaped = schema.request({ ...REQUEST, ...request, messages });
  return shaped.messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
}

test('the reply has to fit the union of calls and answer, and the system prompt describes both', () => {
  const shaped = schema.request(REQUEST);
  expect(shaped.tools).toBeUndefined();
  expect(shaped.responseFormat).toEqual({ type: 'json_schema', json_schema: { name: 'reply', schema: unionSchema(TOOLS) } });
  const prompt = textOf(shaped.messages[0]);
  expect(prompt).toContain('- get-date: The current date.\n  {"tool": "get-date", "arguments": {"format": string, "timezone": string}}\n');
  expect(prompt).toContain('- add\n  {"tool": "add", "arguments": {"a": number, "b": integer}}\n');
  expect(prompt).toContain('{"answer": ');
  expect(shaped.messages[1]).toEqual(QUESTION);
});

test('arguments are described in words where these are enough, and else by their schema', () => {
  const properties = {
    zone: { type: 'string', description: 'IANA time zone', default: 'UTC' },
    unit: { enum: ['C', 'F'] },
    tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
    anything: true,
  };
  const parameters = { type: 'object', properties, $defs: { tag: { type: 'string' } } };
  const prompt = schema.request({ ...REQUEST, tools: [{ name: 'do', parameters }] }).messages[0]?.content;
  expect(prompt).toContain(
    `"zone": (IANA time zone), "unit": one of ["C","F"], "tags": (JSON that fits ${JSON.stringify(properties.tags)}), "anything": (JSON)}}`,
  );
  expect(prompt).toContain('where {"tag":{"type":"string"}}');
});

test('the schema of the answer is part of the union and of the prompt', () => {
  const shaped = schema.request({ ...REQUEST, outputSchema: OUTPUT });
  expect(shaped.responseFormat).toMatchObject({ json_schema: { schema: unionSchema(TOOLS, OUTPUT) } });
  expect(shaped.messages[0]?.content).toContain(JSON.stringify(OUTPUT));
  expect(read('{"answer": {"day": "Saturday"}}', { ...REQUEST, outputSchema: OUTPUT })).toEqual({
    content: '{"day":"Saturday"}',
    toolCalls: [],
  });
});

test('without tools there is no union: the text is the answer, and only its own schema is enforced', () => {
  expect(schema.request({ messages: [QUESTION], tools: [] })).toEqual({ messages: [QUESTION] });
  expect(schema.request({ messages: [QUESTION], tools: [], outputSchema: OUTPUT }).responseFormat).toMatchObject({
    json_schema: { name: 'answer', schema: OUTPUT },
  });
  expect(read('{"answer": 1}', { messages: [QUESTION], tools: [] })).toEqual({ content: '{"answer": 1}', toolCalls: [] });
});

test('a call and an answer are read', () => {
  expect(read(' {"tool": "get-date", "arguments": {"timezone": "Asia/Tokyo"}}\n')).toEqual({
    content: '',
    toolCalls: [{ ...call('get-date', '{"timezone":"Asia/Tokyo"}'), id: 'call00100' }],
  });
  expect(read('{"tool": "get-date"}').toolCalls).toEqual([{ ...call('get-date', '{}'), id: 'call00100' }]);
  expect(read('{"answer": "It is \\"Saturday\\"."}<|im_end|>')).toEqual({ content: 'It is "Saturday".', toolCalls: [] });
  expect(read('<think>Hm.</think>{"answer": "Saturday"}')).toEqual({ content: 'Saturday', reasoning: 'Hm.', toolCalls: [] });
});

test.each([
  ['in a block of code', '```json\n{"tool": "get-date", "arguments": {}}\n```'],
  ['without its last bracket', '{"tool": "get-date", "arguments": {}'],
  ['with its arguments encoded twice', '{"tool": "get-date", "arguments": "{}"}'],
  ['in the form of another mode', '<tool_call>{"name": "get-date", "arguments": {}}</tool_call>'],
])('a call is read %s, where the endpoint does not enforce the schema', (_, text) => {
  expect(read(text).toolCalls).toEqual([{ ...call('get-date', '{}'), id: 'call00100' }]);
});

test('calls that the endpoint found win', () => {
  const native = call('add', '{"a":1}');
  expect(schema.reply({ content: '{"answer": "3"}', toolCalls: [native] }, REQUEST).toolCalls).toEqual([native]);
});

test.each([
  ['is plain text', 'It is Saturday.', 'UNREADABLE_REPLY'],
  ['is cut', '{"answer": "It is Satur', 'UNREADABLE_CALL'],
  ['is a cut call', '{"tool": "get-date", "arguments": {"timezone": "Asia', 'UNREADABLE_CALL'],
  ['is cut before its arguments', '{"tool": "get-date"', 'UNREADABLE_CALL'],
  ['is cut in front of its arguments', '{"tool": "get-date", "arguments": {', 'UNREADABLE_CALL'],
  ['is a list', '[{"answer": "x"}]', 'UNREADABLE_REPLY'],
  ['has neither', '{"day": "Saturday"}', 'UNREADABLE_REPLY'],
  ['names an unknown tool', '{"tool": "rm", "arguments": {}}', 'UNKNOWN_TOOL'],
])('a reply that %s is content as it stands, with a problem', (_, content, code) => {
  expect(read(content)).toEqual({ content, toolCalls: [], problem: { code, message: expect.stringContaining(content) } });
});

test('the conversation shows earlier calls and answers as replies of this kind, and results by the name of their tool', () => {
  const messages: Message[] = [
    QUESTION,
    { role: 'assistant', content: '', tool_calls: [call('get-date', '{"timezone": "Asia/Tokyo"}')] },
    { role: 'tool', tool_call_id: 'a', content: '2026-03-14' },
    { role: 'assistant', content: 'It is Saturday.' },
    { role: 'user', content: 'And tomorrow?' },
  ];
  expect(contents(messages)).toEqual([
    'Which day is it?',
    '{"tool":"get-date","arguments":{"timezone":"Asia/Tokyo"}}',
    'Result of get-date:\n2026-03-14',
    '{"answer":"It is Saturday."}',
    'And tomorrow?',
  ]);
});

test('after a result, the model is asked to answer or to go on', () => {
  const [, , result] = contents([
    QUESTION,
    { role: 'assistant', content: '', tool_calls: [call('get-date', '{}')] },
    { role: 'tool', tool_call_id: 'a', content: '2026-03-14' },
  ]);
  expect(result).toMatch(/^Result of get-date:\n2026-03-14\n.*answer/);
});

test('an earlier answer that was data is shown as data', () => {
  const messages: Message[] = [QUESTION, { role: 'assistant', content: '{"day":"Saturday"}' }, QUESTION];
  expect(contents(messages, { outputSchema: OUTPUT })[1]).toBe('{"answer":{"day":"Saturday"}}');
  expect(contents(messages)[1]).toBe(JSON.stringify({ answer: '{"day":"Saturday"}' }));
  expect(contents(messages, { tools: [] })[1]).toBe('{"day":"Saturday"}');
});

test('words beside calls, several calls, and arguments that are no JSON are shown as well', () => {
  const messages: Message[] = [QUESTION, { role: 'assistant', content: 'I look.', tool_calls: [call('add', '{'), call('get-date', '{}')] }];
  expect(contents(messages)[1]).toBe('I look.\n{"tool":"add","arguments":"{"}\n{"tool":"get-date","arguments":{}}');
});

test('what is shown of a call or an answer is read as the same', () => {
  const given = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(fc.constantFrom(...TOOLS.map(({ name }) => name)), given, fc.string({ minLength: 1 }), (name, text, answer) => {
      const [called, answered] = contents([
        { role: 'assistant', content: '', tool_calls: [call(name, text)] },
        { role: 'assistant', content: answer },
      ]);
      const [again] = read(String(called)).toolCalls;
      expect(again?.function.name).toBe(name);
      expect(JSON.parse(again?.function.arguments ?? '')).toEqual(JSON.parse(text));
      expect(read(String(answered))).toEqual({ content: answer, toolCalls: [] });
    }),
  );
});

test('no reply is too strange', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (content) => {
      const reply = read(content);
      expect(reply.toolCalls.length === 0 || reply.content === '').toBe(true);
    }),
  );
});
