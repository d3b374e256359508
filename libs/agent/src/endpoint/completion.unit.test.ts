import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { type Completion, CompletionBuilder } from './completion.js';

/** What pieces of tool calls, each in a chunk of its own, come to. */
function completionOf(...deltas: readonly JsonObject[]): Completion {
  const builder = new CompletionBuilder();
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

  it('is put together in a time that grows with its calls', () => {
    const builder = new CompletionBuilder();
    const begun = performance.now();
    for (let number = 0; number < 100_000; number += 1)
      builder.add({ choices: [{ delta: { tool_calls: [{ id: `call-${number}`, function: { name: 'f' } }] } }] });
    expect(builder.finish().toolCalls).toHaveLength(100_000);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
