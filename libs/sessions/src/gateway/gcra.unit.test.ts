import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grant } from './gcra.js';

const rates = fc.record({ limit: fc.integer({ min: 1, max: 5_000 }), perMs: fc.integer({ min: 1, max: 3_600_000 }) });

describe('a rate', () => {
  it('lets exactly its limit be taken at once, one by one or together', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 50 }), (rate, more) => {
        const now = 1_795_000_000_000_000;
        const together = grant(0, now, rate, { count: rate.limit + more, isPartly: true });
        expect(together.taken).toBe(rate.limit);
        let fullAtUs = 0;
        for (let n = 0; n < rate.limit; n++) {
          const one = grant(fullAtUs, now, rate, { count: 1, isPartly: false });
          expect(one.taken).toBe(1);
          ({ fullAtUs } = one);
        }
        expect(fullAtUs).toBe(together.fullAtUs);
        expect(grant(fullAtUs, now, rate, { count: 1, isPartly: false }).taken).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  it('lets as many be taken in any time as its limit, and what has come back meanwhile', () => {
    const steps = fc.array(fc.record({ afterUs: fc.nat(400_000), count: fc.integer({ min: 1, max: 20 }) }), { maxLength: 60 });
    fc.assert(
      fc.property(rates, steps, (rate, asked) => {
        const everyUs = Math.ceil((rate.perMs * 1_000) / rate.limit);
        const begin = 1_795_000_000_000_000;
        let [now, fullAtUs, taken] = [begin, 0, 0];
        for (const { afterUs, count } of asked) {
          now += afterUs;
          const granted = grant(fullAtUs, now, rate, { count, isPartly: true });
          ({ fullAtUs } = granted);
          taken += granted.taken;
          expect(taken).toBeLessThanOrEqual(rate.limit + Math.floor((now - begin) / everyUs));
          // No available permit is refused.
          if (granted.taken < count) expect(grant(fullAtUs, now, rate, { count: 1, isPartly: false }).taken).toBe(0);
        }
      }),
    );
  });

  it('says when another one will be there', () => {
    fc.assert(
      fc.property(rates, fc.boolean(), (rate, isPartly) => {
        const now = 1_795_000_000_000_000;
        const { fullAtUs } = grant(0, now, rate, { count: rate.limit, isPartly: false });
        const { taken, retryAfterMs } = grant(fullAtUs, now, rate, { count: 1, isPartly });
        expect(taken).toBe(0);
        expect(grant(fullAtUs, now + retryAfterMs * 1_000, rate, { count: 1, isPartly }).taken).toBe(1);
        expect(grant(fullAtUs, now + (retryAfterMs - 1) * 1_000, rate, { count: 1, isPartly }).taken).toBe(0);
      }),
    );
  });
});
