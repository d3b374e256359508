import { expect, it } from 'vitest';
import { roughSize } from './rough-size.js';

it.each([
  ['a long text', 'x'.repeat(100_000)],
  ['many numbers', Array.from({ length: 10_000 }, (_, index) => index)],
  ['what is nested', { a: [{ b: 'x'.repeat(50_000), c: null, d: true }], e: { f: { g: 'y'.repeat(20_000) } } }],
])('is within a factor of two of the JSON of %s', (_, value) => {
  const size = roughSize(value) / JSON.stringify(value).length;
  expect(size).toBeGreaterThan(0.5);
  expect(size).toBeLessThan(2);
});
