import { expect, it, vi } from 'vitest';
import { Departure } from './departure.js';

it('calls each listener once, those that come later at once', () => {
  const departure = new Departure();
  const [early, late] = [vi.fn(), vi.fn()];
  departure.whenOver(early);
  expect([departure.isOver, early.mock.calls.length]).toEqual([false, 0]);
  for (let ends = 0; ends < 2; ends++) departure.end();
  departure.whenOver(late);
  expect([departure.isOver, early.mock.calls.length, late.mock.calls.length]).toEqual([true, 1, 1]);
});

it('aborts a signal that was asked for before, and one that is asked for after', () => {
  const [before, after] = [new Departure(), new Departure()];
  const { signal } = before;
  expect(signal.aborted).toBe(false);
  for (const departure of [before, after]) departure.end();
  expect([signal.aborted, before.signal.aborted, after.signal.aborted]).toEqual([true, true, true]);
});
