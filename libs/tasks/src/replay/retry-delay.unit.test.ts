import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import { checkRetryPolicy, retryDelayMs } from './retry-delay.js';
import type { RetryPolicy } from './step-context.js';

const policy = fc.record({
  attempts: fc.constant(Infinity),
  initialMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
  factor: fc.double({ min: 0, max: 1e9, noNaN: true }),
  maxMs: fc.double({ min: 0, max: 1e12, noNaN: true }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('the wait before the next try', () => {
  it('is a whole number of milliseconds with every policy that is taken, however often it was tried', () => {
    fc.assert(
      fc.property(policy, fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (given, attempt, random) => {
        checkRetryPolicy('step "a"', given);
        const delay = retryDelayMs(given, attempt, random);
        expect(Number.isSafeInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is never shorter than it was asked for', () => {
    expect(retryDelayMs({ attempts: 9, initialMs: 1_000, factor: 1.5, jitter: 0 }, 5, 0)).toBe(5_063);
  });

  it.each([
    [{ attempts: 0 }, 'step "a": attempts must be a number of tries from 1, and is 0.'],
    [{ attempts: '3' }, 'step "a": attempts must be a number of tries from 1, and is "3".'],
    [{ factor: -1 }, 'step "a": factor must be a number from 0, and is -1.'],
    [{ factor: Infinity }, 'step "a": factor must be a number from 0, and is Infinity.'],
    [{ jitter: 1.1 }, 'step "a": jitter must be a number from 0 to 1, and is 1.1.'],
    [{ jitter: Number.NaN }, 'step "a": jitter must be a number from 0 to 1, and is NaN.'],
  ])('is refused with a policy of %j', (given, message) => {
    expect(() => checkRetryPolicy('step "a"', given as RetryPolicy)).toThrow(new RangeError(message));
  });

  it('is refused by its field when it is none', async () => {
    const engine = new Engine(async (context) =>
      context.step('charge', () => 1, { attempts: 3, initialMs: Number.NaN }).catch((error: Error) => error.message),
    );
    const id = await engine.create();
    await engine.settle();
    expect(await engine.value(id)).toContain('step "charge": initialMs must be a number of milliseconds from 0 to ');
  });
});
