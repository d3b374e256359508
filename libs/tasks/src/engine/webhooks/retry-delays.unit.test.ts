import { expect, it } from 'vitest';
import { retryDelay } from './retry-delays.js';

const HOUR_MS = 3_600_000;
const delays = (random: () => number): number[] => {
  const all: number[] = [];
  for (let tries = 1; ; tries++) {
    const delay = retryDelay(tries, undefined, random);
    if (delay === undefined) return all;
    all.push(delay);
  }
};

it('grow, and are a day in all', () => {
  const all = delays(() => 0.5);
  expect(all).toEqual(all.toSorted((left, right) => left - right));
  const sum = all.reduce((total, delay) => total + delay, 0);
  expect(sum).toBeGreaterThan(23 * HOUR_MS);
  expect(sum).toBeLessThan(25 * HOUR_MS);
});

it('differ by chance', () => {
  expect(delays(() => 0)[0]).toBe(4_000);
  expect(delays(() => 0.9)[0]).toBeGreaterThan(5_500);
});

it('are as long as the receiver asks for, up to an hour', () => {
  expect(retryDelay(1, 60_000, () => 0.5)).toBe(60_000);
  expect(retryDelay(1, 100 * HOUR_MS, () => 0.5)).toBe(HOUR_MS);
  expect(retryDelay(10, 1_000, () => 0.5)).toBe(8 * HOUR_MS);
});
