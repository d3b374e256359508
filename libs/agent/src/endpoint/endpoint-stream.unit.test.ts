import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { completionBody, type ScriptedReply, streamBody } from '../testing/scripted-endpoint.js';
import type { ChatDelta, ChatReply, ChatRequest } from '../model/chat-model.js';
import { createEndpointModel } from './endpoint-model.js';

const TOOL = {
  name: 'get-date',
  description: 'Says the date.',
  parameters: { type: 'object', properties: { timezone: { type: 'string' } } },
};
const REQUEST: ChatRequest = { messages: [{ role: 'user', content: 'What is the date in Tokyo?' }], tools: [TOOL] };
const FRAME = { model: 'm', request: 1, promptTokens: 90, includesUsage: true };

/** Asks a model at an endpoint that answers with these bytes, in these chunks. */
async function ask(chunks: readonly Uint8Array[], contentType = 'text/event-stream'): Promise<{ reply: ChatReply; deltas: ChatDelta[] }> {
  const answer = async (): Promise<Response> => new Response(ReadableStream.from(chunks), { headers: { 'content-type': contentType } });
  const model = createEndpointModel({ baseUrl: 'http://127.0.0.1/v1', model: 'm', mode: 'native', fetch: answer });
  const deltas: ChatDelta[] = [];
  const reply = await model.complete(REQUEST, { signal: new AbortController().signal, onDelta: (delta) => deltas.push(delta) });
  return { reply, deltas };
}

function shown(deltas: readonly ChatDelta[], member: 'text' | 'reasoning'): string {
  return deltas
    .map((delta) => delta[member] ?? '')
    .join('')
    .trim();
}

const CALLS = [
  { name: 'get-date', arguments: { place: '東京' } },
  { name: 'get-date', arguments: '{"a": "ü"}' },
];
const EXPECTED_CALLS = CALLS.map(({ name, arguments: args }, index) => ({
  id: `call_1_${index + 1}`,
  type: 'function',
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
}));
/** A call in the text, with an id that is made here. */
function callOf(args: object): ChatReply['toolCalls'][number] {
  return {
    id: expect.any(String) as string,
    type: 'function',
    function: { name: 'get-date', arguments: expect.toSatisfy((text: string) => isDeepStrictEqual(JSON.parse(text), args)) as string },
  };
}

const ANSWER = 'In 東京 🗼: 1 < 2, [sic]';

/** The stream of an endpoint, and the model's reply in it. */
const DIALECTS: Readonly<
  Record<string, { readonly reply: ScriptedReply; readonly expected: Partial<ChatReply>; readonly edit?: (body: string) => string }>
> = {
  'an answer': { reply: { content: ANSWER }, expected: { content: ANSWER, toolCalls: [] } },
  'calls in fragments': { reply: { toolCalls: CALLS }, expected: { content: '', toolCalls: EXPECTED_CALLS as never } },
  'whole calls': { reply: { toolCalls: CALLS, callStyle: 'whole' }, expected: { toolCalls: EXPECTED_CALLS as never } },
  'calls without an index': { reply: { toolCalls: CALLS, callStyle: 'without-index' }, expected: { toolCalls: EXPECTED_CALLS as never } },
  'fragments that repeat id and name': {
    reply: { toolCalls: CALLS, callStyle: 'repeated-id' },
    expected: { toolCalls: EXPECTED_CALLS as never },
  },
  'reasoning as reasoning_content': { reply: { reasoning: 'Früh?', content: 'Ja.' }, expected: { reasoning: 'Früh?', content: 'Ja.' } },
  'reasoning as reasoning, and a call': {
    reply: { reasoning: 'Ich frage.', reasoningField: 'reasoning', toolCalls: CALLS.slice(0, 1) },
    expected: { reasoning: 'Ich frage.', toolCalls: EXPECTED_CALLS.slice(0, 1) as never },
  },
  'thinking in the text': { reply: { content: '<think>\nFrüh?\n</think>\n\nJa.' }, expected: { reasoning: 'Früh?', content: 'Ja.' } },
  'a call in the text, as Hermes writes it': {
    reply: { content: 'So:\n<tool_call>{"name": "get-date", "arguments": {"a": "ü"}}</tool_call>' },
    expected: { content: 'So:', toolCalls: [callOf({ a: 'ü' })] },
  },
  'a call in the text, as DeepSeek writes it': {
    reply: { content: '<｜tool▁call▁begin｜>get-date<｜tool▁sep｜>{}<｜tool▁call▁end｜>' },
    expected: { content: '', toolCalls: [callOf({})] },
  },
  'no [DONE] and no usage': { reply: { content: 'Fertig.', withoutDone: true, usage: null }, expected: { content: 'Fertig.' } },
  'lines that end with CR LF, and comments': {
    reply: { content: ANSWER },
    edit: (body) => `: keep-alive\n\n${body}`.replaceAll('\n', '\r\n'),
    expected: { content: ANSWER },
  },
  'a usage chunk with choices: null': {
    reply: { content: 'Ja.', usage: { inputTokens: 90, outputTokens: 5 } },
    edit: (body) => body.replace('"choices":[]', '"choices":null'),
    expected: { content: 'Ja.', usage: { inputTokens: 90, outputTokens: 5 } },
  },
};

/** Each byte is a request, so there are none that nothing depends on. */
function compact(body: string): string {
  return body
    .replace(/data: .*"role":"assistant".*\n\n/, '')
    .replaceAll(/"id":"chatcmpl-1".*?"model":"m",|"index":0,(?="delta")|,"finish_reason":null/g, '');
}

describe('An answer of an endpoint', () => {
  it.each(Object.entries(DIALECTS))(
    'gives the same message wherever its stream is split: %s',
    async (_name, { reply: scripted, expected, edit = (body) => body }) => {
      const bytes = new TextEncoder().encode(edit(compact(streamBody({ usage: null, ...scripted }, FRAME))));
      const whole = await ask([bytes]);
      expect(whole.reply).toMatchObject(expected);
      expect(shown(whole.deltas, 'text')).toBe(whole.reply.content);
      expect(shown(whole.deltas, 'reasoning')).toBe(whole.reply.reasoning ?? '');

      for (let at = 1; at < bytes.length; at += 1) {
        const { reply, deltas } = await ask([bytes.subarray(0, at), bytes.subarray(at)]);
        expect(reply, `split at ${at}`).toEqual(whole.reply);
        expect(shown(deltas, 'text'), `split at ${at}`).toBe(whole.reply.content);
      }
    },
  );

  it('gives the same message byte by byte', async () => {
    const bytes = new TextEncoder().encode(streamBody({ reasoning: 'Früh?', content: ANSWER, toolCalls: CALLS }, FRAME));

    const { reply } = await ask(Array.from(bytes, (byte) => Uint8Array.of(byte)));

    expect(reply).toEqual({
      content: ANSWER,
      reasoning: 'Früh?',
      toolCalls: EXPECTED_CALLS,
      usage: { inputTokens: 90, outputTokens: 5 },
      mode: 'native',
    });
  });

  it.each(Object.entries(DIALECTS))('gives the same message when it is not streamed: %s', async (_name, { reply: scripted, expected }) => {
    const { reply } = await ask([new TextEncoder().encode(completionBody(scripted, FRAME))], 'application/json');

    expect(reply).toMatchObject(expected);
  });
});
