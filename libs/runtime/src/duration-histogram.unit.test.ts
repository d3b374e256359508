import { expect, it } from 'vitest';
import { DurationHistogram } from './duration-histogram.js';

function of(...durations: readonly number[]): DurationHistogram {
  const made = new DurationHistogram();
  for (const ms of durations) made.record(ms);
  return made;
}

it('says how long most durations took, at most a fifth too long', () => {
  const made = of(...Array.from({ length: 1_000 }, (_, index) => index + 1));
  for (const [share, ms] of [
    [0.5, 500],
    [0.99, 990],
  ] as const) {
    expect(made.quantile(share)).toBeGreaterThanOrEqual(ms);
    expect(made.quantile(share)).toBeLessThan(ms * 1.2);
  }
});

it('says nothing of none, and counts what is shorter than a millisecond or longer than any bucket', () => {
  expect(of().quantile(0.5)).toBeUndefined();
  expect(of(0, -5).quantile(0.5)).toBe(1);
  expect(of(Number.MAX_SAFE_INTEGER).quantile(0.5)).toBe(2 ** 32);
});

it('adds up what several processes have kept as JSON', () => {
  const sum = new DurationHistogram();
  for (const each of [of(10, 10, 10), of(5_000)]) sum.add(DurationHistogram.from(JSON.parse(JSON.stringify(each)) as never));
  expect([sum.count, sum.quantile(0.5), sum.quantile(1)]).toEqual([4, of(10).quantile(1), of(5_000).quantile(1)]);
});

it('leaves out kept buckets that do not exist', () => {
  expect(
    DurationHistogram.from([
      [-1, 1],
      [1_000, 1],
      [0.5, 1],
      [4, 0],
    ]).count,
  ).toBe(0);
});

it('forgets early durations when there are many', () => {
  const made = of(...Array.from({ length: 10_000 }, () => 60_000), ...Array.from({ length: 20_000 }, () => 10));
  expect(made.quantile(0.5)).toBe(of(10).quantile(1));
  expect(made.count).toBeLessThanOrEqual(10_000);
});
