import { wholeMs } from '../domain/milliseconds.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { type LaneRules, NO_RULES } from '../ports/lane-rules.js';
import { groupOf } from '../write/lane.js';
import type { ContractStore, OpenedStore } from './contract-store.js';
import { heldCount, holdDeliveries } from './held-deliveries.js';
import { opening } from './opening.js';
import { newTaskId } from './task-history.js';

const PASSES = 1_000;

/** How groups of lanes share the slots on every store. */
export function laneWeightsContract({ name, open }: ContractStore): void {
  describe(`the task queue in ${name}, with groups of lanes`, () => {
    let opened: OpenedStore;
    beforeEach(opening(open, (openedStore) => (opened = openedStore)));

    async function add(lane: string, count: number, priority?: number): Promise<void> {
      const jobs = Array.from({ length: count }, (_, pass) => ({
        taskId: newTaskId(),
        pass: pass + 1,
        lane,
        ...(priority && { priority }),
      }));
      for (const job of jobs) await opened.store.queue.add(job, wholeMs(0));
    }

    /** Has one delivery after the other, until there were so many. @returns their lanes */
    async function taken(count: number, rules: LaneRules, concurrency = 4): Promise<readonly string[]> {
      const lanes: string[] = [];
      const done = Promise.withResolvers<void>();
      const consumer = await opened.store.consume(
        async ({ job }) => {
          lanes.push(job.lane ?? '');
          if (lanes.length === count) done.resolve();
          return {};
        },
        { concurrency, rules: () => rules },
      );
      await done.promise;
      await consumer.close();
      return lanes.slice(0, count);
    }
    const shareOf = (group: string, lanes: readonly string[]): number =>
      lanes.filter((lane) => groupOf(lane) === group).length / lanes.length;

    it('gives each its share by its weight, within a tenth over a thousand passes', async () => {
      const rules = { ...NO_RULES, weights: new Map([['three', 3]]) };
      await add('one.a', PASSES);
      await add('three.a', PASSES);
      await add('other', PASSES);
      const lanes = await taken(PASSES, rules);
      expect(Math.abs(shareOf('three', lanes) - 0.6)).toBeLessThan(0.06);
      expect(Math.abs(shareOf('one', lanes) - 0.2)).toBeLessThan(0.02);
      expect(Math.abs(shareOf('other', lanes) - 0.2)).toBeLessThan(0.02);
    });

    it('gives one of many lanes no more than one of few, and its lanes the same', async () => {
      await add('few.a', 300);
      for (const lane of ['a', 'b', 'c', 'd', 'e']) await add(`many.${lane}`, 100);
      const lanes = await taken(400, NO_RULES);
      expect(Math.abs(shareOf('many', lanes) - 0.5)).toBeLessThan(0.05);
      for (const lane of ['a', 'b', 'c', 'd', 'e']) {
        const count = lanes.filter((each) => each === `many.${lane}`).length;
        expect(count, lane).toBeGreaterThanOrEqual(36);
        expect(count, lane).toBeLessThanOrEqual(44);
      }
    });

    it('takes those of a lane first that come before others, and of the rest those last that come after', async () => {
      await add('lane', 8);
      const { held } = await holdDeliveries(opened.store, 1);
      const endTo = async (count: number): Promise<void> => {
        for (let ended = held.length - 1; ended < count; ended++) {
          await heldCount(held, ended + 1);
          held[ended]?.end();
        }
      };
      await heldCount(held, 1);
      await endTo(4);
      await heldCount(held, 5);
      await add('lane', 3, -1);
      await add('lane', 3, 2);
      await endTo(14);
      const order = held.slice(5).map(({ delivery }) => delivery.job.priority ?? 0);
      // One or two were taken out of line already.
      expect(order.lastIndexOf(2)).toBeLessThanOrEqual(4);
      expect(order.indexOf(-1)).toBe(6);
    });

    it('has a pass wait for no more than two others in each slot, however many lanes and jobs another group has', async () => {
      for (let lane = 0; lane < 20; lane++) await add(`many.${lane}`, 3);
      const { held } = await holdDeliveries(opened.store, 2);
      await heldCount(held, 2);
      for (let ended = 0; ended < 4; ended++) {
        await heldCount(held, ended + 2);
        held[ended]?.end();
      }
      await heldCount(held, 6);
      await add('one', 1);
      for (let ended = 4; ended < 8; ended++) {
        await heldCount(held, ended + 2);
        held[ended]?.end();
      }
      await heldCount(held, 10);
      expect(held.map(({ delivery }) => delivery.job.lane)).toContain('one');
      for (const { end } of held) end();
    });
  });
}
