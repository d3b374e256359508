import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { type Completion, CompletionBuilder } from './completion.js';

const TOOLS = new Set(['f', 'g', 'get-date', 'get', 'get-zone', 'dada']);

/** The calls that pieces of tool calls make, each piece in its own chunk. */
function completionOf(...deltas: readonly JsonObject[]): Completion {
  const builder = new CompletionBuilder(undefined, TOOLS);
  for (const delta of deltas) builder.add({ choices: [{ delta }] });
  return builder.finish();
}

function callsOf(...pieces: readonly JsonObject[]): string[] {
  return completionOf(...pieces.map((piece) => ({ tool_calls: [piece] }))).toolCalls.map(
    ({ id, function: { name, arguments: text } }) => `${id} ${name} ${text}`,
  );
}

describe('A completion', () => {
  it('has the calls of a server that gives each of them the index 0', () => {
    expect(
      callsOf(
        { index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } },
        { index: 0, id: 'b', function: { name: 'g', arguments: '{"y"' } },
        { index: 0, function: { arguments: ':2}' } },
      ),
    ).toEqual(['a f {"x":1}', 'b g {"y":2}']);
  });

  it('has the calls of a server that mixes their fragments', () => {
    expect(
      callsOf(
        { index: 0, id: 'a', function: { name: 'f', arguments: '[' } },
        { index: 1, id: 'b', function: { name: 'g', arguments: '{' } },
        { index: 1, function: { arguments: '}' } },
        { index: 0, function: { arguments: ']' } },
      ),
    ).toEqual(['a f []', 'b g {}']);
  });

  it('puts fragments without an index where their id is, or else to the latest call', () => {
    expect(
      callsOf(
        { id: 'a', function: { name: 'f', arguments: '{' } },
        { id: 'b', function: { name: 'g', arguments: '[' } },
        { id: 'a', function: { arguments: '}' } },
        { function: { arguments: ']' } },
      ),
    ).toEqual(['a f {}', 'b g []']);
  });

  it('has two calls of one tool from a server without ids and indexes', () => {
    const call = { function: { name: 'f', arguments: '{}' } };

    expect(callsOf(call, call)).toEqual([' f {}', ' f {}']);
  });

  const piece = (name: string | undefined, args?: unknown, id?: string): JsonObject => ({
    index: 0,
    ...(id !== undefined && { id }),
    type: 'function',
    function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args as string }) },
  });

  it.each<[string, JsonObject[], string[]]>([
    [
      'whole, all with the index 0 and without an id',
      [piece('f', '{"x":1}'), piece('f', '{"x":2}'), piece('g', '{}'), piece('f', '{}')],
      ['f {"x":1}', 'f {"x":2}', 'g {}', 'f {}'],
    ],
    ['whole, all with the index 0 and an empty id', [piece('f', '{"x":1}', ''), piece('f', '{"x":1}', '')], ['f {"x":1}', 'f {"x":1}']],
    ['whole, with objects as arguments', [piece('f', { x: 1 }), piece('f', { x: '}' })], ['f {"x":1}', 'f {"x":"}"}']],
    ['whole, with arguments that are encoded twice', [piece('f', '"{\\"x\\":1}"'), piece('g', '{}')], ['f "{\\"x\\":1}"', 'g {}']],
    ['without arguments, one after the other', [piece('f'), piece('g')], ['f {}', 'g {}']],
    [
      'in fragments, all with the index 0 and without an id',
      [piece('f', ''), piece(undefined, '{"x"'), piece(undefined, ':1}'), piece('f', ''), piece(undefined, '{}')],
      ['f {"x":1}', 'f {}'],
    ],
    ['with the name in fragments', [piece('get'), piece('-da'), piece('te'), piece(undefined, '{}')], ['get-date {}']],
    ['with the name in equal fragments', [piece('da'), piece('da'), piece(undefined, '{}')], ['dada {}']],
    ['with the name in each fragment', [piece('f', '{"x"'), piece('f', ':{}'), piece('f', '}')], ['f {"x":{}}']],
    ['with the name once more at the end', [piece('f', '{"x":1}'), piece('f', '')], ['f {"x":1}']],
    ['with another id in each fragment', [piece('f', '', 'a'), piece(undefined, '{"x"', 'b'), piece(undefined, ':1}', 'c')], ['f {"x":1}']],
    ['whole once more at the end', [piece('f', '{"x":1}', 'a'), piece('f', '{"x":1}', 'a')], ['f {"x":1}']],
    [
      'with an empty object before the arguments',
      [piece('f', '{}', 'a'), piece(undefined, '{"x"'), piece(undefined, ':1}')],
      ['f {"x":1}'],
    ],
    ['with a new index for each fragment', [piece('f', ''), { index: 1, function: { arguments: '{}' } }], ['f {}']],
    ['without the object around name and arguments', [{ index: 0, id: 'a', name: 'f', arguments: '{"x":1}' }], ['f {"x":1}']],
  ])('has calls that come %s', (_how, pieces, expected) => {
    expect(callsOf(...pieces).map((line) => line.replace(/^\w* /, ''))).toEqual(expected);
    const withoutIndex = pieces.map((one) => Object.fromEntries(Object.entries(one).filter(([member]) => member !== 'index')));
    expect(callsOf(...withoutIndex).map((line) => line.replace(/^\w* /, ''))).toEqual(expected);
  });

  it('has the call of a server that knows one call a message', () => {
    const older = completionOf(
      { function_call: { name: 'f', arguments: '' } },
      { function_call: { arguments: '{"x"' } },
      { function_call: { arguments: ':1}' } },
    );
    expect(older.toolCalls).toEqual([{ id: '', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }]);
    const both = completionOf({
      function_call: { name: 'f', arguments: '{}' },
      tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }],
    });
    expect(both.toolCalls).toMatchObject([{ id: 'a' }]);
  });

  it('has no thoughts in its content that come as parts of it', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
    expect(completionOf({ content: [thinking, { type: 'text', text: 'Yes' }] })).toMatchObject({ content: 'Yes', reasoning: 'Hm.' });
    expect(completionOf({ content: [{ type: 'reasoning', text: 'Hm.' }] })).toMatchObject({ content: '', reasoning: 'Hm.' });
  });

  it('has arguments where a server sends none, and as text where it sends an object', () => {
    expect(
      callsOf({ index: 0, id: 'a', function: { name: 'f' } }, { index: 1, id: 'b', function: { name: 'g', arguments: { x: 1 } } }),
    ).toEqual(['a f {}', 'b g {"x":1}']);
  });

  it('has the text of content in parts, and of a refusal', () => {
    expect(completionOf({ content: [{ type: 'text', text: 'Yes' }, { type: 'other' }] }, { content: null, refusal: ', no.' }).content).toBe(
      'Yes, no.',
    );
  });

  it('counts reasoning once where a server sends it under both names', () => {
    expect(completionOf({ reasoning: 'Hm', reasoning_content: 'Hm' }, { reasoning: '…' }).reasoning).toBe('Hm…');
  });

  it('has the first choice and no other', () => {
    const builder = new CompletionBuilder();
    builder.add({
      choices: [
        { index: 1, delta: { content: 'B' } },
        { index: 0, delta: { content: 'A' }, finish_reason: 'stop' },
      ],
    });

    expect(builder.finish()).toMatchObject({ content: 'A', finishReason: 'stop', hasChoice: true });
  });

  it('takes no harm from what is no part of a completion', () => {
    const builder = new CompletionBuilder();
    for (const piece of [
      null,
      'text',
      [],
      {},
      { choices: null, usage: null },
      { choices: ['x', { delta: 7 }] },
      { usage: { prompt_tokens: '1' } },
    ])
      builder.add(piece);
    builder.add({ choices: [{ delta: { tool_calls: [null, { function: 'f' }, 3] } }] });

    expect(builder.finish()).toMatchObject({ content: '', usage: undefined, finishReason: undefined });
  });

  it.each([
    [10, 5, { inputTokens: 10, outputTokens: 5 }],
    [10, null, { inputTokens: 10, outputTokens: 0 }],
    [-10, 5, undefined],
    [10, -5, undefined],
    [1.5, 5, undefined],
    [1e300, 5, undefined],
    ['10', 5, undefined],
  ])('counts %j and %j tokens only if they can be counts', (prompt_tokens, completion_tokens, usage) => {
    const builder = new CompletionBuilder();
    builder.add({ choices: [], usage: { prompt_tokens, completion_tokens } });
    expect(builder.finish().usage).toEqual(usage);
  });

  it('is put together of a hundred thousand calls', () => {
    const builder = new CompletionBuilder();
    for (let number = 0; number < 100_000; number += 1)
      builder.add({ choices: [{ delta: { tool_calls: [{ id: `call-${number}`, function: { name: 'f' } }] } }] });
    expect(builder.finish().toolCalls).toHaveLength(100_000);
  });

  it.each([
    [{ cached_tokens: 4 }, { reasoning_tokens: 2 }, { cachedTokens: 4, reasoningTokens: 2 }],
    [{ cached_tokens: 8 }, { reasoning_tokens: 1.5 }, {}],
    [null, 'many', {}],
  ])('counts cached tokens %j and thoughts %j as parts of them', (prompt_tokens_details, completion_tokens_details, parts) => {
    const builder = new CompletionBuilder();
    const usage = { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details, completion_tokens_details };
    builder.add({ choices: [], usage });
    expect(builder.finish().usage).toEqual({ inputTokens: 7, outputTokens: 3, ...parts });
  });
});
