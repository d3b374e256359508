import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.js';

const NOW = Date.parse('2026-07-28T12:00:00Z');

describe('The time after which to ask again', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': ' 0.5 ' }, 500],
    [{ 'retry-after-ms': '12.3' }, 13],
    [{ 'retry-after-ms': 'soon', 'retry-after': '3' }, 3000],
    [{ 'retry-after': 'Tue, 28 Jul 2026 12:00:05 GMT' }, 5000],
    [{ 'retry-after': 'Tue, 28 Jul 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'later' }, undefined],
    [{}, undefined],
  ])('is read from %j', (headers, expected) => {
    expect(retryAfterMs(new Headers(headers), NOW)).toBe(expected);
  });

  it('is unknown without headers', () => {
    expect(retryAfterMs(undefined)).toBeUndefined();
  });
});
