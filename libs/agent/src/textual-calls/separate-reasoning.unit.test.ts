import { expect, test } from 'vitest';
import { separateReasoning } from './separate-reasoning.js';

test.each([
  ['before the answer', '<think>\nThe user greets.\n</think>\n\nHello!', 'The user greets.', 'Hello!'],
  ['whose opening stood in the prompt', 'The user greets.\n</think>\n\nHello!', 'The user greets.', 'Hello!'],
  ['that was cut', '\n<think>\nThe user gre', 'The user gre', ''],
  ['in several parts', '<think>a</think>\n<think>b</think>c', 'a\n\nb', 'c'],
  ['that speaks of the tag', '<think>What is <think>?</think>It opens.', 'What is <think>?', 'It opens.'],
  ['in capital letters', '<THINK>\nHm.\n</THINK>\nHello!', 'Hm.', 'Hello!'],
  ['in mixed letters, closed in others', '<Think>Hm.</THINK>Hello!', 'Hm.', 'Hello!'],
  ['of another name', '<thinking>\nHm.\n</thinking>\n\nHello!', 'Hm.', 'Hello!'],
  ['of another name, with the opening in the prompt', 'Hm.\n</thinking>\n\nHello!', 'Hm.', 'Hello!'],
  ['of Magistral', '[THINK]Hm.[/THINK]Hello!', 'Hm.', 'Hello!'],
  ['of Seed-OSS', '<seed:think>Hm.</seed:think>Hello!', 'Hm.', 'Hello!'],
  ['of Command', '<|START_THINKING|>Hm.<|END_THINKING|>Hello!', 'Hm.', 'Hello!'],
  ['of Kimi', '◁think▷Hm.◁/think▷Hello!', 'Hm.', 'Hello!'],
  ['between words', 'I look.\n<think>\nHm.\n</think>\n\nHello!', 'Hm.', 'I look.\nHello!'],
  ['behind the answer, and cut', 'Hello!\n<think>\nShall I', 'Shall I', 'Hello!'],
  ['that speaks of its end in backticks', '<think>It ends with `</think>`.</think>Hello!', 'It ends with `</think>`.', 'Hello!'],
  ['with a letter whose small form is longer', '<think>İİİ</think>Hello!', 'İİİ', 'Hello!'],
])('reasoning %s is separated', (_, text, reasoning, content) => {
  expect(separateReasoning(text)).toEqual({ content, reasoning });
});

test('empty reasoning is none', () => {
  expect(separateReasoning('<think>\n\n</think>\n\nHello!')).toEqual({ content: 'Hello!' });
});

test.each([
  '',
  ' Hello! ',
  'The tag <think> begins it, and </think> ends it.',
  'Write <think>.',
  'It ends with `</think>`.',
  'So:\n```xml\n<think>\nHm.\n</think>\n```\nThat is all.',
  '[thinking] is a word, and [THINKER] too.',
])('%j has no reasoning and stays as it is', (text) => {
  expect(separateReasoning(text)).toEqual({ content: text });
});

test('where the endpoint separates thoughts, none can have begun before the text', () => {
  expect(separateReasoning('A thought ends with </think>.', false)).toEqual({ content: 'A thought ends with </think>.' });
  expect(separateReasoning('<think>Hm.</think>Hello!', false)).toEqual({ content: 'Hello!', reasoning: 'Hm.' });
});
