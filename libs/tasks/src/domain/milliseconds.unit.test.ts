import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationOf, LONGEST_MS, wholeMs } from './milliseconds.js';

/** As they come from a division: mostly with a fraction. */
const time = fc.double({ min: 0, max: LONGEST_MS, noNaN: true });

describe('a time that is given', () => {
  it('is taken as the next whole number of milliseconds, so that nothing happens early', () => {
    fc.assert(
      fc.property(time, (ms) => {
        const whole = durationOf('wait', ms);
        expect(Number.isSafeInteger(whole)).toBe(true);
        expect(whole).toBeGreaterThanOrEqual(ms);
        expect(whole - 1).toBeLessThan(ms);
      }),
    );
  });

  it('is a date still when it is counted from now', () => {
    expect(() => new Date(wholeMs(Date.now() + durationOf('wait', LONGEST_MS))).toISOString()).not.toThrow();
  });

  it.each([Number.NaN, Infinity, -Infinity, -1, -0.4, LONGEST_MS + 1, Number.MAX_SAFE_INTEGER, '5', null, undefined])(
    'is refused by its field when it is %s',
    (ms) => {
      expect(() => durationOf('sleep "nap": ms', ms as number)).toThrow(
        new RangeError(
          `sleep "nap": ms must be a number of milliseconds from 0 to 31536000000000, and is ${typeof ms === 'string' ? `"${ms}"` : ms}.`,
        ),
      );
    },
  );

  it('is refused when it is below the least that its field takes, after it was rounded up', () => {
    expect(durationOf('everyMs', 99.5, 100)).toBe(100);
    expect(() => durationOf('everyMs', 99, 100)).toThrow('everyMs must be a number of milliseconds from 100 to 31536000000000, and is 99.');
  });
});
