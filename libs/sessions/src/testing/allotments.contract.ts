import { randomUUID } from 'node:crypto';
import { opening, waitUntil } from '@longhaul/tasks/testing';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Allotment, AllotmentRequest, Allotments } from '../ports/allotments.js';
import type { SessionContractStore } from './contract-store.js';

const PROCESSES = ['a', 'b', 'c'];
const RUNS = 30;

/** Declares the contract of allotments on every store. */
export function allotmentsContract({ name: store, open }: SessionContractStore): void {
  describe(`allotments in ${store}`, () => {
    let allotments: Allotments;
    let name: string;
    beforeAll(
      opening(open, (opened) => {
        ({ allotments } = opened.store);
      }),
    );
    beforeEach(() => {
      name = randomUUID();
    });

    const take = (process: string, wanted: number, more: Partial<AllotmentRequest> = {}): Promise<Allotment> =>
      allotments.take({ name, process, limit: 5, used: 0, wanted, leaseMs: 60_000, ...more });

    it('are all that is free', async () => {
      expect(await take('a', 3)).toEqual({ places: 3, fair: 3, isShort: false });
      expect(await take('b', 2)).toEqual({ places: 2, fair: 2, isShort: false });
      expect(await take('a', 1, { name: `${name} of another` })).toMatchObject({ places: 1 });
    });

    it('are never more together than the limit, also when several processes ask at once', async () => {
      const given = await Promise.all(PROCESSES.map((process) => take(process, 4)));
      expect(given.reduce((sum, { places }) => sum + places, 0)).toBe(5);
    });

    it('are had by one process until it gives them back, and by no other meanwhile', async () => {
      await take('a', 5, { used: 0 });
      expect(await take('b', 4)).toEqual({ places: 0, fair: 3, isShort: false });
      expect(await take('a', 5, { used: 5 })).toEqual({ places: 5, fair: 2, isShort: true });
      expect(await take('a', 5, { used: 2 })).toEqual({ places: 2, fair: 2, isShort: true });
      expect(await take('b', 4)).toEqual({ places: 3, fair: 3, isShort: true });
    });

    it('go in turn where there are fewer than processes', async () => {
      const one = { limit: 1 };
      expect(await take('a', 2, one)).toMatchObject({ places: 1 });
      expect(await take('b', 1, one)).toMatchObject({ places: 0 });
      expect(await take('a', 2, one)).toMatchObject({ places: 0, isShort: true });
      expect(await take('b', 1, one)).toMatchObject({ places: 1 });
      expect(await take('a', 2, { ...one })).toMatchObject({ places: 0, isShort: false });
    });

    it('are free again when their process has ended, or says nothing any more', async () => {
      await take('a', 3);
      await take('c', 2, { leaseMs: 20 });
      expect(await take('a', 0)).toMatchObject({ places: 0 });
      const hasAll = async (): Promise<boolean> => (await take('b', 5)).places === 5;
      await waitUntil(hasAll, { description: 'the lease is over' });
    });

    it('are never more than the limit, whatever processes do', async () => {
      const step = fc.record({ process: fc.constantFrom(...PROCESSES), wanted: fc.nat(8), keeps: fc.nat(5) });
      const property = fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 30 }), async (limit, steps) => {
        name = randomUUID();
        const had = new Map(PROCESSES.map((process) => [process, 0]));
        for (const { process, wanted, keeps } of steps) {
          const used = Math.min(had.get(process) ?? 0, keeps);
          const { places, fair } = await take(process, Math.max(used, wanted), { limit, used });
          had.set(process, places);
          expect(places).toBeGreaterThanOrEqual(used);
          expect(Math.max(places, fair)).toBeLessThanOrEqual(Math.max(used, wanted));
          expect([...had.values()].reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(limit);
        }
        // Who asks is served: when the others use nothing any more, one has all that it wants.
        for (const process of PROCESSES) await take(process, 0);
        expect(await take('a', limit, { limit })).toMatchObject({ places: limit, isShort: false });
        await take('a', 0);
      });
      await fc.assert(property, { numRuns: RUNS });
    });
  });
}
