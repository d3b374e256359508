/** Declares the contract of stores of rates, for every adapter. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { waitUntil } from '@longhaul/tasks/testing';
import type { SessionContractStore } from './contract-store.js';
import { describeState } from './describe-state.js';

export function ratesContract(store: SessionContractStore): void {
  describeState(store, 'rates', (state) => {
    const hourly = { limit: 3, perMs: 3_600_000 };

    it('let as many be taken at once as the limit says, and say when there will be more', async () => {
      const { rates } = state();
      const rated = { what: 'sessions', account: randomUUID() };
      for (let n = 0; n < 3; n++) expect(await rates.take(rated, 1, hourly)).toBe(0);

      const retryAfterMs = await rates.take(rated, 1, hourly);
      expect(retryAfterMs).toBeGreaterThan(1_190_000);
      expect(retryAfterMs).toBeLessThanOrEqual(1_200_000);
    });

    it('are of one account and one thing only', async () => {
      const { rates } = state();
      const [account, other] = [randomUUID(), randomUUID()];
      await rates.take({ what: 'sessions', account }, 3, hourly);

      expect(await rates.take({ what: 'sessions', account: other }, 3, hourly)).toBe(0);
      expect(await rates.take({ what: 'streams', account }, 3, hourly)).toBe(0);
      expect(await rates.take({ what: 'sessions', account }, 1, hourly)).toBeGreaterThan(0);
    });

    it('take all or none, and no more than the limit for something larger', async () => {
      const { rates } = state();
      const rated = { what: 'sessions', account: randomUUID() };
      await rates.take(rated, 2, hourly);
      expect(await rates.take(rated, 2, hourly)).toBeGreaterThan(0);
      expect(await rates.take(rated, 1, hourly)).toBe(0);
      expect(await rates.take({ ...rated, account: randomUUID() }, 100, hourly)).toBe(0);
    });

    it('give as many as there are to those who take some, and say when there will be another one', async () => {
      const { rates } = state();
      const rated = { what: 'requests', account: randomUUID() };
      expect(await rates.takeSome(rated, 2, hourly)).toEqual({ taken: 2, retryAfterMs: 0 });

      const { taken, retryAfterMs } = await rates.takeSome(rated, 2, hourly);
      expect(taken).toBe(1);
      expect(retryAfterMs).toBeGreaterThan(1_190_000);
      expect(retryAfterMs).toBeLessThanOrEqual(1_200_000);
      expect(await rates.takeSome(rated, 2, hourly)).toMatchObject({ taken: 0 });
    });

    it('have back at once what was taken in vain', async () => {
      const { rates } = state();
      const rated = { what: 'requests', account: randomUUID() };
      await rates.giveBack(rated, 1, hourly);
      await rates.take(rated, 3, hourly);
      await rates.giveBack(rated, 2, hourly);
      expect(await rates.takeSome(rated, 3, hourly)).toMatchObject({ taken: 2 });
    });

    it('are exact among those who take beside each other', async () => {
      const { rates } = state();
      const rated = { what: 'requests', account: randomUUID() };
      const slow = { limit: 97, perMs: 97 * 3_600_000 };
      const counts = Array.from({ length: 120 }, (_, n) => n % 4);
      const taken = await Promise.all(
        counts.map(async (count) =>
          count === 0 ? Number((await rates.take(rated, 1, slow)) === 0) : (await rates.takeSome(rated, count, slow)).taken,
        ),
      );
      expect(taken.reduce((sum, some) => sum + some, 0)).toBe(97);
    });

    it('give back what was taken as time goes by', async () => {
      const { rates } = state();
      const rated = { what: 'sessions', account: randomUUID() };
      const fast = { limit: 10, perMs: 1_000 };
      await rates.take(rated, 10, fast);
      await waitUntil(async () => (await rates.take(rated, 1, fast)) === 0, { description: 'one is back' });
    });
  });
}
