import { expect, test } from 'vitest';
import { separateReasoning } from './separate-reasoning.js';

test.each([
  ['before the answer', '<think>\nThe user greets.\n</think>\n\nHello!', 'The user greets.', 'Hello!'],
  ['whose opening stood in the prompt', 'The user greets.\n</think>\n\nHello!', 'The user greets.', 'Hello!'],
  ['that was cut', '\n<think>\nThe user gre', 'The user gre', ''],
  ['in several parts', '<think>a</think>\n<think>b</think>c', 'a\n\nb', 'c'],
  ['that speaks of the tag', '<think>What is <think>?</think>It opens.', 'What is <think>?', 'It opens.'],
])('reasoning %s is separated', (_, text, reasoning, content) => {
  expect(separateReasoning(text)).toEqual({ content, reasoning });
});

test('empty reasoning is none', () => {
  expect(separateReasoning('<think>\n\n</think>\n\nHello!')).toEqual({ content: 'Hello!' });
});

test.each(['', ' Hello! ', 'The tag <think> begins it, and </think> ends it.', 'Write <think>.'])(
  '%j has no reasoning and stays as it is',
  (text) => {
    expect(separateReasoning(text)).toEqual({ content: text });
  },
);
