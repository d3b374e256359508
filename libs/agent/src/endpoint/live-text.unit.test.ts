import { describe, expect, it } from 'vitest';
import { LiveText } from './live-text.js';

/** What is shown before the end of a text that arrives in these pieces, and what is held back. */
function shownOf(...pieces: readonly string[]): { text: string; reasoning: string; held: string } {
  const live = new LiveText();
  const deltas = pieces.flatMap((piece) => live.push(piece));
  const join = (member: 'text' | 'reasoning'): string => deltas.map((delta) => delta[member] ?? '').join('');
  return {
    text: join('text'),
    reasoning: join('reasoning'),
    held: live
      .rest()
      .map(({ text, reasoning }) => text ?? reasoning)
      .join(''),
  };
}

describe('A text that arrives', () => {
  it.each([
    ['as it is', 'Hello, world', { text: 'Hello, world' }],
    ['without its thinking', '<think>\nHm < 3.\n</think>\n\nThree.', { reasoning: '\nHm < 3.\n', text: 'Three.' }],
    ['with its thinking, while that is not over', '<think>Hm', { reasoning: 'Hm' }],
    ['as thinking, twice in a row', '<think>a</think> <think>b</think>c', { reasoning: 'ab', text: 'c' }],
    ['with a tag further on', 'The tag <think> opens.', { text: 'The tag <think> opens.' }],
    [
      'as far as the first call',
      'I look. <tool_call>{"name": "f"}</tool_call>',
      { text: 'I look. ', held: '<tool_call>{"name": "f"}</tool_call>' },
    ],
    ['as far as the first call, in the form of Mistral', 'So: [TOOL_CALLS][{}]', { text: 'So: ', held: '[TOOL_CALLS][{}]' }],
    ['not at all when it may be a call as a whole', ' {"name": "f"}', { held: '{"name": "f"}' }],
    ['not at all when it may be a pythonic call', '<think>a</think>\n[f(x=1)]', { reasoning: 'a', held: '[f(x=1)]' }],
    ['as far as it is no beginning of a call', 'a < b, and <tool', { text: 'a < b, and ', held: '<tool' }],
  ])('is shown %s, in any pieces', (_how, text, expected) => {
    const whole = { text: '', reasoning: '', held: '', ...expected };
    expect(shownOf(text)).toEqual(whole);
    expect(shownOf(...Array.from(text))).toEqual(whole);
    for (let at = 1; at < text.length; at += 1) expect(shownOf(text.slice(0, at), text.slice(at)), `split at ${at}`).toEqual(whole);
  });
});
