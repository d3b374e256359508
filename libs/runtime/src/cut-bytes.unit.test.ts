import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutBytes, cutWithNote } from './cut-bytes.js';

describe('cutting a text', () => {
  it('leaves one that fits as it is', () => {
    expect(cutWithNote('äöü', 6)).toBe('äöü');
    expect(cutWithNote('', 0)).toBe('');
  });

  it('says how many bytes are left out, and cuts no character in two', () => {
    expect(cutWithNote('aä€😀', 6)).toBe('aä€\n[4 more bytes are left out]');
    expect(cutWithNote('aä€😀', 9)).toBe('aä€\n[4 more bytes are left out]');
    expect(cutWithNote('aä€😀', 10)).toBe('aä€😀');
  });

  it('keeps a beginning of at most so many bytes, of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, maxBytes) => {
        const { text: start, leftOutBytes } = cutBytes(text, maxBytes);
        expect(text.startsWith(start)).toBe(true);
        expect(Buffer.byteLength(start)).toBeLessThanOrEqual(maxBytes);
        expect(Buffer.byteLength(start) + leftOutBytes).toBe(Buffer.byteLength(text));
        expect(start.isWellFormed()).toBe(true);
      }),
    );
  });
});
