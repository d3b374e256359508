import { describe, expect, it } from 'vitest';
import { linearPattern, MAX_PATTERN_CHARACTERS, wildcardPattern } from './linear-pattern.js';

describe('a pattern that is not ours', () => {
  it.each<[string, string, boolean]>([
    ['^a+$', 'aaa', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['^(?<year>\\d{4})-\\d\\d$', '2026-01', true],
    ['^[\\w.]+@\\w+$', 'ada@example', true],
    ['^\\u00e4/\\S$', 'ä/x', true],
    ['^.$', '🎉', true],
    ['', 'anything', true],
  ])('is that of JavaScript: %j on %j is %j', (pattern, text, fits) => {
    expect(linearPattern(pattern).test(text)).toBe(fits);
  });

  it.each(['^(a+)+$', '^(a|a)*$', '^(.*a){20}$', '(x+x+)+y'])('runs once over the text: %j', (pattern) => {
    // With backtracking, each of these would take longer than a test can wait.
    expect(linearPattern(pattern).test(`${'a'.repeat(50_000)}!`)).toBe(false);
  });

  it.each(['(', '[z-a]', '(a)\\1', '(?=a)b', '(((a{1000}){1000}){1000})', 'a'.repeat(MAX_PATTERN_CHARACTERS + 1)])(
    'is refused when it cannot be used so: %s',
    (pattern) => {
      expect(() => linearPattern(pattern)).toThrow(TypeError);
    },
  );
});

describe('a pattern with wildcards', () => {
  it.each<[string, string, boolean]>([
    ['read_*', 'read_file', true],
    ['read_*', 'bread_file', false],
    ['*', '', true],
    ['a.c', 'abc', false],
    ['a\\*$', 'a\\b$', true],
    ['*_file', 'read\n_file', true],
  ])('is any text where it has an asterisk: %j on %j is %j', (pattern, text, fits) => {
    expect(wildcardPattern(pattern).test(text)).toBe(fits);
  });

  it('runs once over the text', () => {
    expect(wildcardPattern('*a'.repeat(30)).test(`${'a'.repeat(20_000)}!`)).toBe(false);
  });
});
