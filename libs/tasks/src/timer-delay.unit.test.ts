import { expect, it } from 'vitest';
import { timerDelay } from './timer-delay.js';

it.each([
  [-1, 0],
  [5, 5],
  [2 ** 31 - 1, 2 ** 31 - 1],
  [2 ** 31, 2 ** 31 - 1],
  [Infinity, 2 ** 31 - 1],
])('a delay of %i ms is set to %i', (ms, expected) => {
  expect(timerDelay(ms)).toBe(expected);
});
