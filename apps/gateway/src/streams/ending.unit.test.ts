import { expect, it, vi } from 'vitest';
import { Ending } from './ending.js';

it('calls each listener once, those that come later at once', () => {
  const ending = new Ending();
  const [early, late] = [vi.fn(), vi.fn()];
  ending.whenOver(early);
  expect([ending.isOver, early.mock.calls.length]).toEqual([false, 0]);
  for (let ends = 0; ends < 2; ends++) ending.end();
  ending.whenOver(late);
  expect([ending.isOver, early.mock.calls.length, late.mock.calls.length]).toEqual([true, 1, 1]);
});

it('aborts a signal that was asked for before, and one that is asked for after', () => {
  const [before, after] = [new Ending(), new Ending()];
  const { signal } = before;
  expect(signal.aborted).toBe(false);
  for (const ending of [before, after]) ending.end();
  expect([signal.aborted, before.signal.aborted, after.signal.aborted]).toEqual([true, true, true]);
});
