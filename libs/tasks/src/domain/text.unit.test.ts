import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstCharacters, lastCharacters, shortened, toWireJson, wellFormedJson } from './text.js';

/** Texts with halves of characters, whole ones, and what looks like an escape. */
const piece = fc.constantFrom(
  'a',
  'é',
  '\\',
  '"',
  '\n',
  'ud800',
  '\\ud800',
  '\\\\ud83d',
  '😀',
  '\ud83d',
  '\ude00',
  '\ud800',
  '\udfff',
  '\u2028',
  '\0',
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const wellFormed = text.map((any) => any.toWellFormed());

describe('a cut', () => {
  it('keeps as much of a text as it may, and no half of a character', () => {
    fc.assert(
      fc.property(wellFormed, fc.nat({ max: 20 }), (given, most) => {
        for (const [cut, rest] of [
          [firstCharacters(given, most), (whole: string, part: string) => whole.startsWith(part)],
          [lastCharacters(given, most), (whole: string, part: string) => whole.endsWith(part)],
        ] as const) {
          expect(cut.isWellFormed()).toBe(true);
          expect(rest(given, cut)).toBe(true);
          expect(cut.length).toBeLessThanOrEqual(most);
          expect(cut.length).toBeGreaterThanOrEqual(Math.min(given.length, most - 1));
        }
        expect(shortened(given, most)).toBe(given.length <= most ? given : `${firstCharacters(given, most)}…`);
      }),
    );
  });

  it.each([
    ['a😀', 2, 'a'],
    ['a😀', 3, 'a😀'],
    ['😀', 0, ''],
    ['abc', 2, 'ab'],
  ])('of %j to %i characters is %j', (given, most, cut) => {
    expect(firstCharacters(given, most)).toBe(cut);
  });
});

describe('JSON that goes out', () => {
  it('says what the value says, with U+FFFD for halves of characters in texts and in names', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(value, (given) => {
        const json = toWireJson(given);
        expect(json.isWellFormed()).toBe(true);
        expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify(repaired(given)));
        // Of names that have become the same, one is read.
        expect(toWireJson(JSON.parse(json))).toBe(JSON.stringify(repaired(given)));
      }),
    );
  });

  it('is what JSON.stringify writes where nothing has to be repaired, also of texts about escapes', () => {
    for (const given of [{ a: '😀' }, ['\\ud800'], '\\\\ud800', String.raw`\\ud83d\ude00`])
      expect(toWireJson(given)).toBe(JSON.stringify(given));
    const json = JSON.stringify({ a: 'x'.repeat(100) });
    expect(wellFormedJson(json)).toBe(json);
  });
});

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(repaired);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toWellFormed(), repaired(member)]));
}
