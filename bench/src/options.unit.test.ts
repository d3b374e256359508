import { describe, expect, it } from 'vitest';
import { valuesOf } from './options.js';

const DEFAULTS = { rounds: 5, rows: '', beside: undefined, check: false } as const;
const read = (...given: string[]) => valuesOf(DEFAULTS, given);

describe('the options of a benchmark', () => {
  it('have defaults, and are what is given', () => {
    expect(read()).toEqual({ rounds: 5, rows: '', beside: undefined, check: false });
    expect(read('scale', '--rounds', '2', '--check', '--beside=../other')).toMatchObject({ rounds: 2, check: true, beside: '../other' });
  });

  it.each([
    [['--bogus'], "Unknown option '--bogus'"],
    [['--rounds', 'x'], '--rounds must be a number from 0, and is "x".'],
    [['--rounds='], '--rounds must be a number from 0, and is "".'],
    [['strems'], 'There is no benchmark "strems". Say one of: main, streams'],
    [['scale', 'more'], 'There is no benchmark "more".'],
  ])('are refused by their names: %j', (given, message) => {
    expect(() => read(...given)).toThrow(message);
  });

  it('are listed with their defaults', () => {
    expect(() => read('--help')).toThrow(
      'npm run bench -- [OPTION…]\n  --rounds NUMBER (5)\n  --rows TEXT\n  --beside TEXT\n  --check\nOthers: streams',
    );
  });
});
