import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partOf } from './paging.js';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

describe('a part of a text', () => {
  it.each([
    [0, 10, { text: 'abcdefghij', next: 10 }],
    [10, 10, { text: 'klmnopqrst', next: 20 }],
    [16, 10, { text: 'qrstuvwxyz' }],
    [20, 10, { text: 'uvwxyz' }],
    [0, 5_000, { text: ALPHABET }],
    [26, 10, undefined],
    [Number.MAX_SAFE_INTEGER, 10, undefined],
  ])('from %d, of at most %d', (start, maxLength, expected) => {
    expect(partOf(ALPHABET, start, maxLength)).toEqual(expected);
  });

  it('is counted in characters of Unicode, and never ends within one', () => {
    expect(partOf('a😀b😀c', 1, 2)).toEqual({ text: '😀b', next: 3 });
    expect(partOf('a😀b😀c', 3, 2)).toEqual({ text: '😀c' });
  });

  it('is none of an empty text', () => {
    expect(partOf('', 0, 10)).toBeUndefined();
  });

  it('is followed by others that make up the whole text, of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (text, maxLength) => {
        const parts: string[] = [];
        for (let start: number | undefined = 0; start !== undefined;) {
          const part = partOf(text, start, maxLength);
          expect(Array.from(part?.text ?? '').length).toBeLessThanOrEqual(maxLength);
          parts.push(part?.text ?? '');
          start = part?.next;
        }
        expect(parts.join('')).toBe(text);
      }),
    );
  });
});
