import { describe, expect, it } from 'vitest';
import { cutText, tooLong } from './field-limits.js';

describe('a text that is too long', () => {
  it('is described by its bytes, and not repeated', () => {
    expect(tooLong('params.name', 'é'.repeat(129), 256)).toBe('params.name has 258 bytes; at most 256 are allowed');
    expect(tooLong('params.name', 'é'.repeat(128), 256)).toBeUndefined();
    expect(tooLong('params.name', 'x'.repeat(256), 256)).toBeUndefined();
    expect(tooLong('params.name', 'x'.repeat(257), 256)).toBe('params.name has 257 bytes; at most 256 are allowed');
  });

  it.each([
    ['x'.repeat(10), 'x'.repeat(10)],
    ['x'.repeat(11), `${'x'.repeat(7)}…`],
    ['éééééé', 'ééé…'],
    ['ééééé', 'ééééé'],
    ['🙂🙂🙂', '🙂…'],
    ['x🙂🙂🙂', 'x🙂…'],
    ['', ''],
  ])('is cut within ten bytes, and says so: %s', (text, cut) => {
    expect(cutText(text, 10)).toBe(cut);
    expect(Buffer.byteLength(cutText(text, 10))).toBeLessThanOrEqual(10);
  });
});
