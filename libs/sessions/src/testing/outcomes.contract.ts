/** Declares the contract of stores of call results, for every adapter. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { waitUntil } from '@longhaul/tasks/testing';
import type { SessionContractStore } from './contract-store.js';
import { describeState } from './describe-state.js';

export function outcomesContract(store: SessionContractStore): void {
  describeState(store, 'outcomes', (state) => {
    it('let a call begin once, and give what came of it to all others', async () => {
      const { outcomes } = state();
      const id = randomUUID();
      const begun = await Promise.all([1, 2, 3].map(() => outcomes.begin(id, 60_000)));
      expect(begun.filter((known) => known === undefined)).toHaveLength(1);
      expect(begun.filter((known) => known === '')).toHaveLength(2);

      await outcomes.record(id, 'done');
      expect(await outcomes.begin(id, 60_000)).toBe('done');
      expect(await outcomes.begin(randomUUID(), 60_000)).toBeUndefined();
    });

    it('are forgotten after their time, and not recorded later', async () => {
      const { outcomes } = state();
      const id = randomUUID();
      await outcomes.begin(id, 20);
      await waitUntil(async () => (await outcomes.begin(id, 20)) === undefined, { description: 'it is forgotten' });
      const other = randomUUID();
      await outcomes.record(other, 'late');
      expect(await outcomes.begin(other, 1_000)).toBeUndefined();
    });
  });
}
