import { wholeMs } from '../domain/milliseconds.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ContractStore, OpenedStore } from './contract-store.js';
import { heldCount, holdDeliveries } from './held-deliveries.js';
import { opening } from './opening.js';
import { newTaskId } from './task-history.js';
import { waitUntil } from './wait-until.js';

/** Declares the contract of the load on every store. */
export function taskLoadContract({ name, open }: ContractStore): void {
  describe(`the load of ${name}`, () => {
    let opened: OpenedStore;
    beforeEach(opening(open, (openedStore) => (opened = openedStore)));

    it('is nothing at first', async () => {
      const { load } = opened.store;
      expect(await load.queue()).toEqual({ waiting: 0, setAside: 0, delayed: 0, running: 0 });
      expect(await load.overdue()).toEqual({ count: 0 });
    });

    it('counts jobs that wait, are delayed and run, and says how long the oldest has waited', async () => {
      const { load, queue } = opened.store;
      const before = performance.now();
      for (const lane of ['a', 'a', 'b']) await queue.add({ taskId: newTaskId(), pass: 1, lane }, wholeMs(0));
      await queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(Date.now() + 60_000));
      const first = await load.queue();
      expect(first).toMatchObject({ waiting: 3, delayed: 1, running: 0 });
      const waited = await waitUntil(
        async () => {
          const { oldestWaitMs = 0 } = await load.queue();
          return oldestWaitMs >= 20 && oldestWaitMs;
        },
        { description: 'the oldest has waited for a while' },
      );
      expect(waited).toBeLessThanOrEqual(performance.now() - before + 1_000);
      const { held } = await holdDeliveries(opened.store, 2);
      await heldCount(held, 2);
      expect(await load.queue()).toMatchObject({ waiting: 1, delayed: 1, running: 2 });
      for (const { end } of held) end();
    });

    it('counts entries of the agenda that are due', async () => {
      const { agenda, load } = opened.store;
      for (const inMs of [-5_000, -1_000, 60_000]) await agenda.date(newTaskId(), wholeMs(inMs));
      const { count, oldestMs = 0 } = await load.overdue();
      expect(count).toBe(2);
      expect(oldestMs).toBeGreaterThanOrEqual(5_000);
      expect(oldestMs).toBeLessThan(65_000);
    });
  });
}
