import { describe, expect, it } from 'vitest';
import { printable, printableJson, printableLine, printableParts, visible, visibleJson } from './printable.js';

describe('text for a terminal', () => {
  it.each([
    ['keeps its lines, tabs and signs', 'a\tb\nünïcödé 🎉', 'a\tb\nünïcödé 🎉'],
    ['has the line ends of this system', 'a\r\nb', 'a\nb'],
    ['has no colours', '\u001B[1;31mred\u001B[0m', 'red'],
    ['does not clear the screen or move the cursor', '\u001B[2J\u001B[10;1Hx\rover', 'xover'],
    ['does not change the title', '\u001B]0;title\u0007x\u001B]2;other\u001B\\y', 'xy'],
    ['has no link under other words', '\u001B]8;;https://evil.example\u0007text\u001B]8;;\u0007', 'text'],
    ['has no control characters of one byte', 'a\u0000\u0008\u007F\u009B31mb', 'a31mb'],
    ['does not turn the direction of writing', 'a\u202Eb\u2066c\u2069', 'abc'],
  ])('%s', (_what, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('is put on one line and cut off between characters', () => {
    expect(printableLine(' a\n\n  b\t c ', 5)).toBe('a b c');
    expect(printableLine('🎉🎉🎉', 3)).toBe('🎉🎉🎉');
    expect(printableLine('🎉🎉🎉🎉', 3)).toBe('🎉🎉…');
  });

  it('comes out the same in parts, wherever it is cut', () => {
    const text = 'a\u001B[1;31mb\u001B]0;title\u0007c\u001B]2;x\u001B\\d\u001B(Be🎉';
    for (let at = 0; at <= text.length; at += 1) {
      const part = printableParts();
      const [first, second] = [part(text.slice(0, at)), part(text.slice(at))];
      expect(first.isWellFormed()).toBe(true);
      expect(first + second).toBe('abcde🎉');
    }
    const byOne = printableParts();
    expect(Array.from(text, (part) => byOne(part)).join('')).toBe('abcde🎉');
  });
});

describe('a text that somebody decides about', () => {
  // A tag, a joiner, a variation selector, a filler, a soft hyphen, a mark of direction, and a character that a terminal obeys.
  const hidden = ['\u{E0041}', '\u200D', '\uFE0F', '\u{E0101}', '\u3164', '\u00AD', '\u202E', '\u009B', '\u001B[8m'];

  it.each(hidden)('shows what it has without a width: %j', (character) => {
    for (const shown of [visible(`a${character}b`), visibleJson({ text: `a${character}b` })]) {
      expect(shown).toContain('\\u');
      expect(shown).not.toContain(character);
      expect(printable(shown)).toBe(shown);
    }
    expect(JSON.parse(visibleJson({ text: `a${character}b` }, 2))).toEqual({ text: `a${character}b` });
  });

  it('has all other characters, and its lines, as they are', () => {
    expect(visible('größe\r\n\t😀 家')).toBe('größe\n\t😀 家');
    expect(printableJson('{"größe":"👩\u200D🔬"}')).toBe('{"größe":"👩\u200D🔬"}');
  });
});
