import { describe, expect, it } from 'vitest';
import { LiveText } from './live-text.js';

/** What is shown of the answer before the end of a text that arrives in these pieces, and what is held back; and all thoughts. */
function shownOf(...pieces: readonly string[]): { text: string; reasoning: string; held: string } {
  const live = new LiveText();
  const deltas = pieces.flatMap((piece) => live.push(piece));
  const rest = live.rest();
  deltas.push(...rest.filter(({ text }) => text === undefined));
  const join = (member: 'text' | 'reasoning'): string => deltas.map((delta) => delta[member] ?? '').join('');
  return {
    text: join('text'),
    reasoning: join('reasoning'),
    held: rest.map(({ text = '' }) => text).join(''),
  };
}

it('A text that begins within a thought is shown as one to the end of it', () => {
  const live = new LiveText(true);
  const deltas = [...Array.from('Hm.\n</Think>\n\nThree.').flatMap((piece) => live.push(piece)), ...live.rest()];
  expect(deltas.map(({ reasoning = '' }) => reasoning).join('')).toBe('Hm.\n');
  expect(deltas.map(({ text = '' }) => text).join('')).toBe('Three.');
});

describe('A text that arrives', () => {
  it.each([
    ['as it is', 'Hello, world', { text: 'Hello, world' }],
    ['without its thinking', '<think>\nHm < 3.\n</think>\n\nThree.', { reasoning: '\nHm < 3.\n', text: 'Three.' }],
    ['with its thinking, while that is not over', '<think>Hm', { reasoning: 'Hm' }],
    ['as thinking, twice in a row', '<think>a</think> <think>b</think>c', { reasoning: 'ab', text: 'c' }],
    ['without its thinking, in other tags', '[THINK]Hm[/THINK]<Thinking>Hm</THINKING>\nThree.', { reasoning: 'HmHm', text: 'Three.' }],
    ['without its thinking between lines', 'So:\n<think>Hm</think>\nThree.', { reasoning: 'Hm', text: 'So:\nThree.' }],
    [
      'without its thinking behind a mark',
      'Marks: [TOOL_CALLS]\n<think>Hm</think>',
      { reasoning: 'Hm', text: 'Marks: ', held: '[TOOL_CALLS]\n' },
    ],
    ['with a tag in code', 'So:\n```\n<think>\n```\n', { text: 'So:\n```\n<think>\n```\n' }],
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
