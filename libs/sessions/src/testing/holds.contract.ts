import { randomUUID } from 'node:crypto';
import { opening, waitUntil } from '@longhaul/tasks/testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HoldRequest, Holds, TakenHold } from '../ports/holds.js';
import type { SessionContractStore } from './contract-store.js';

/** Declares the contract of holds on every store. */
export function holdsContract({ name: store, open }: SessionContractStore): void {
  describe(`holds in ${store}`, () => {
    let holds: Holds;
    let name: string;
    beforeAll(
      opening(open, (opened) => {
        ({ holds } = opened.store);
      }),
    );
    beforeEach(() => {
      name = randomUUID();
    });

    const take = (holder: string, more: Partial<HoldRequest> = {}): Promise<TakenHold> =>
      holds.take({ name, holder, leaseMs: 60_000, keepMs: 60_000, ...more });
    const takenAfterEnd = async (holder: string): Promise<TakenHold> => {
      let taken: TakenHold | undefined;
      const isTaken = async (): Promise<boolean> => (taken = await take(holder)).holder === holder;
      await waitUntil(isTaken, { description: 'the lease is over' });
      return taken as unknown as TakenHold;
    };

    it('are had by one of several that take them at once, and again by that one', async () => {
      const all = await Promise.all(['a', 'b', 'c'].map((holder) => take(holder)));
      expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
      const [{ holder, epoch }] = all as [TakenHold];
      expect(all.map((taken) => [taken.holder, taken.epoch])).toEqual(all.map(() => [holder, epoch]));
      expect(await take(holder)).toEqual({ holder, epoch, value: undefined, isNew: false, isAfterLoss: false });
      expect((await take('a', { name: `${name} of another` })).holder).toBe('a');
    });

    it('begin again when their holder is gone, which is a loss', async () => {
      const { epoch } = await take('a', { leaseMs: 20 });
      const taken = await takenAfterEnd('b');
      expect(taken).toMatchObject({ value: undefined, isNew: true, isAfterLoss: true });
      expect(taken.epoch).toBeGreaterThan(epoch);
      expect((await take('a')).holder).toBe('b');
    });

    it('go on with what was written for them when their holder is gone', async () => {
      const { epoch } = await take('a', { leaseMs: 20 });
      expect(await holds.write({ name, holder: 'a', epoch }, 'how')).toBe(true);
      expect(await takenAfterEnd('b')).toEqual({ holder: 'b', epoch, value: 'how', isNew: false, isAfterLoss: false });
      expect(await holds.write({ name, holder: 'a', epoch }, 'otherwise')).toBe(false);
      // It has wanted it itself, and no other process has.
      expect(await holds.release({ name, holder: 'b', epoch }, 60_000)).toBe(true);
    });

    it('begin again once for all who know that their epoch has ended', async () => {
      const { epoch } = await take('a');
      await holds.write({ name, holder: 'a', epoch }, 'how');
      const [first, second] = await Promise.all([take('b', { ended: epoch }), take('c', { ended: epoch })]);
      expect([first.isNew, second.isNew].filter(Boolean)).toHaveLength(1);
      expect([first.value, second.value, first.epoch]).toEqual([undefined, undefined, second.epoch]);
      expect(first.isAfterLoss || second.isAfterLoss).toBe(true);
    });

    it('are forgotten when their holder releases them, unless others have wanted them since', async () => {
      const { epoch } = await take('a');
      expect(await holds.release({ name, holder: 'b', epoch })).toBe(false);
      await take('b');
      expect(await holds.release({ name, holder: 'a', epoch }, 60_000)).toBe(false);
      expect(await holds.release({ name, holder: 'a', epoch })).toBe(true);
      const taken = await take('b');
      expect(taken).toMatchObject({ holder: 'b', isNew: true, isAfterLoss: false });
    });
  });
}
