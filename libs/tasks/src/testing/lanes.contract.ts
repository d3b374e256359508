import { wholeMs } from '../domain/milliseconds.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobVerdict } from '../ports/task-queue.js';
import type { ContractStore, OpenedStore } from './contract-store.js';
import { type Held, heldCount, type HeldDeliveries, holdDeliveries } from './held-deliveries.js';
import { opening } from './opening.js';
import { newTaskId } from './task-history.js';
import { waitUntil } from './wait-until.js';

/** How the task queue takes jobs of several lanes on every store. */
export function lanesContract({ name, open }: ContractStore): void {
  describe(`the task queue in ${name}, with jobs of several lanes`, () => {
    let opened: OpenedStore;
    beforeEach(opening(open, (openedStore) => (opened = openedStore)));

    const hold = (concurrency: number): Promise<HeldDeliveries> => holdDeliveries(opened.store, concurrency);

    /** Adds jobs of a lane, one after the other. */
    async function add(lane: string, count: number): Promise<void> {
      for (let pass = 1; pass <= count; pass++) await opened.store.queue.add({ taskId: newTaskId(), pass, lane }, wholeMs(0));
    }
    const lanesOf = (held: readonly Held[]): (string | undefined)[] => held.map(({ delivery }) => delivery.job.lane);

    /** Ends one delivery after the other, each when the next one has come, until all jobs have been delivered. */
    async function endAll(held: readonly Held[], from: number, count: number, concurrency: number): Promise<void> {
      for (let ended = from; ended < count; ended++) {
        await heldCount(held, Math.min(count, ended + concurrency));
        held[ended]?.end();
      }
    }

    it('has a job wait for no more than two others in each slot, however many another lane has', async () => {
      await add('many', 40);
      const { consumer, held } = await hold(2);
      await heldCount(held, 2);
      await endAll(held, 0, 4, 2);
      await heldCount(held, 6);
      await add('one', 1);
      await endAll(held, 4, 41, 2);
      expect(lanesOf(held).indexOf('one')).toBeLessThan(6 + 2 * 2);
      await waitUntil(() => consumer.active === 0, { description: 'all have ended' });
      expect(new Set(held.map(({ delivery }) => delivery.job.taskId)).size, 'each is delivered once').toBe(41);
    });

    it('takes lanes in turn that have as many as they like', async () => {
      await add('first', 30);
      await add('second', 20);
      await add('third', 20);
      const { held } = await hold(1);
      await endAll(held, 0, 70, 1);
      // Jobs that waited when the first one was taken may still come in their order.
      const turns = lanesOf(held).slice(2, 50);
      for (const lane of ['second', 'third']) {
        expect(turns.filter((taken) => taken === lane).length).toBeGreaterThanOrEqual(15);
        expect(turns.filter((taken) => taken === lane).length).toBeLessThanOrEqual(17);
      }
    });

    it('does not let a lane gain by coming one at a time', async () => {
      await add('many', 20);
      const { held } = await hold(1);
      await heldCount(held, 1);
      let [ended, added] = [0, 0];
      while (ended < 20) {
        await add('a', 1);
        added += 1;
        held[ended]?.end();
        ended += 1;
        await heldCount(held, ended + 1);
      }
      const many = lanesOf(held).filter((lane) => lane === 'many').length;
      expect(many).toBeGreaterThanOrEqual(9);
      await endAll(held, ended, 20 + added, 1);
    });

    it('does not let lanes that come later be before one that waits', async () => {
      await add('many', 10);
      const { held } = await hold(1);
      await heldCount(held, 1);
      await add('waits', 1);
      for (let ended = 0; ended < 10; ended++) {
        // Each is a lane of its own.
        await add(`comes ${ended}`, 1);
        held[ended]?.end();
        await heldCount(held, ended + 2);
      }
      expect(lanesOf(held).indexOf('waits')).toBeGreaterThan(0);
      await endAll(held, 10, 21, 1);
    });

    it('knows a job that stands in line, and adds it no second time', async () => {
      const jobs = Array.from({ length: 10 }, () => ({ taskId: newTaskId(), pass: 1, lane: 'many' }));
      for (const job of jobs) await opened.store.queue.add(job, wholeMs(0));
      const { consumer, held } = await hold(1);
      await endAll(held, 0, 2, 1);
      await heldCount(held, 3);
      const sought = jobs.map((job) => ({ ...job, mayBeDelayed: false }));
      expect(await opened.store.queue.has(sought.slice(2))).toEqual(Array.from({ length: 8 }, () => true));
      for (const job of jobs.slice(2)) await opened.store.queue.add(job, wholeMs(0));
      await endAll(held, 2, 10, 1);
      await waitUntil(() => consumer.active === 0, { description: 'all have ended' });
      expect(held).toHaveLength(10);
    });

    it('takes side jobs in their lanes too', async () => {
      const order: string[] = [];
      for (let at = 0; at < 20; at++)
        await opened.store.queue.addSideJob({ kind: 'tidy', id: newTaskId(), lane: 'many', data: { of: 'its own' } });
      await add('one', 1);
      const tidy = async (data: unknown): Promise<JobVerdict> => {
        expect(data).toEqual({ of: 'its own' });
        order.push('tidy');
        return {};
      };
      const handle = async (): Promise<JobVerdict> => {
        order.push('one');
        return {};
      };
      await opened.store.consume(handle, { concurrency: 1, sideJobs: { tidy } });
      await waitUntil(() => order.length === 21, { description: 'all are delivered' });
      expect(order.indexOf('one')).toBeLessThan(10);
    });

    it('uses all slots while anything waits', async () => {
      for (const lane of ['first', 'second', 'third']) await add(lane, 10);
      const { held } = await hold(4);
      // Each wait of it is for a full house.
      await endAll(held, 0, 30, 4);
      expect(held).toHaveLength(30);
    });

    it('goes on with what stands in line when its worker is gone', async () => {
      await add('many', 20);
      const gone = await hold(2);
      await endAll(gone.held, 0, 4, 2);
      await heldCount(gone.held, 6);
      await gone.consumer.close();
      const { held } = await hold(10);
      await heldCount(held, 10);
      for (const { end } of held.slice()) end();
      await waitUntil(() => held.length === 16, { description: 'all others are delivered' });
      for (const { end } of held) end();
    });
  });
}
