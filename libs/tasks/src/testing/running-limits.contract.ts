import { wholeMs } from '../domain/milliseconds.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { type JobPriority, type LaneRules, NO_RULES } from '../ports/lane-rules.js';
import type { TaskConsumer } from '../ports/task-queue.js';
import type { ContractStore, OpenedStore, OpenOptions } from './contract-store.js';
import { heldCount, holdDeliveries } from './held-deliveries.js';
import { opening } from './opening.js';
import { newTaskId } from './task-history.js';
import { waitUntil } from './wait-until.js';

/** How many jobs run at once on every store where that is limited. */
export function runningLimitsContract({ name, open }: ContractStore): void {
  let opened: OpenedStore;
  const opens = (options?: OpenOptions) =>
    beforeEach(
      opening(
        () => open(options),
        (openedStore) => (opened = openedStore),
      ),
    );

  async function add(count: number, job: { lane: string; tool?: string; priority?: JobPriority }): Promise<void> {
    for (let pass = 1; pass <= count; pass++) await opened.store.queue.add({ taskId: newTaskId(), pass, ...job }, wholeMs(0));
  }
  const limited = (
    groups: Record<string, number>,
    tools: Record<string, number> = {},
    shared: Pick<LaneRules, 'sharedLimitOf' | 'maxRunningOfShared'> = NO_RULES,
  ): LaneRules => ({
    ...NO_RULES,
    ...shared,
    maxRunning: (group) => groups[group],
    maxRunningOfTool: (tool) => tools[tool],
  });

  /** Runs jobs for a moment each on two workers, until there were so many. @returns the most that ran at once, by what `of` says */
  async function mostAtOnce(count: number, rules: LaneRules, of: (lane: string, tool: string) => string): Promise<Map<string, number>> {
    const running = new Map<string, number>();
    const most = new Map<string, number>();
    let ended = 0;
    const run = async ({ job: { lane = '', tool = '' } }: { readonly job: { lane?: string; tool?: string } }): Promise<object> => {
      const key = of(lane, tool);
      const now = (running.get(key) ?? 0) + 1;
      running.set(key, now);
      most.set(key, Math.max(most.get(key) ?? 0, now));
      await new Promise((resolve) => setTimeout(resolve, 5));
      running.set(key, (running.get(key) ?? 0) - 1);
      ended += 1;
      return {};
    };
    const consumers: TaskConsumer[] = [];
    for (let worker = 0; worker < 2; worker++) consumers.push(await opened.store.consume(run, { concurrency: 5, rules: () => rules }));
    await waitUntil(() => ended === count, { description: `${count} jobs have ended` });
    for (const consumer of consumers) await consumer.close();
    return most;
  }

  describe(`the task queue in ${name}, with limits of what runs at once`, () => {
    opens({ areLocksLong: true });

    it('runs no more of a group than it may, and all of them in the end', async () => {
      await add(30, { lane: 'group.a' });
      await add(30, { lane: 'group.b' });
      await add(20, { lane: 'free' });
      const most = await mostAtOnce(80, limited({ group: 3 }), (lane) => lane.slice(0, 5));
      expect(most.get('group')).toBe(3);
      expect(most.get('free')).toBeGreaterThan(1);
    });

    it('runs no more of a tool than it may, whosever jobs they are', async () => {
      for (let lane = 0; lane < 10; lane++) await add(4, { lane: `lane ${lane}`, tool: 'narrow' });
      await add(20, { lane: 'lane 0', tool: 'wide' });
      const most = await mostAtOnce(60, limited({ 'lane 1': 1 }, { narrow: 2 }), (_lane, tool) => tool);
      expect(most.get('narrow')).toBe(2);
      expect(most.get('wide')).toBeGreaterThan(1);
    });

    it('runs no more of the tools that share a limit than it says, and no more of one of them than may run', async () => {
      for (const tool of ['shop.read', 'shop.write', 'wide']) await add(15, { lane: `lane of ${tool}`, tool });
      const sharedLimitOf = (tool: string): string | undefined => (tool === 'wide' ? undefined : tool.slice(0, 4));
      const shared = { sharedLimitOf, maxRunningOfShared: (limit: string) => (limit === 'shop' ? 3 : undefined) };
      const most = await mostAtOnce(45, limited({}, { 'shop.write': 1 }, shared), (_lane, tool) => tool.slice(0, 4));
      expect(most.get('shop')).toBe(3);
      expect(most.get('wide')).toBeGreaterThan(3);
    });

    it('leaves no slot idle for jobs that may not run', async () => {
      await add(20, { lane: 'group' });
      const { held } = await holdDeliveries(opened.store, 4, () => limited({ group: 1 }));
      await heldCount(held, 1);
      await add(3, { lane: 'free' });
      const running = (lane: string): number =>
        held.filter(({ delivery }) => delivery.job.lane === lane && !delivery.signal.aborted).length;
      await waitUntil(() => running('free') === 3, { description: 'all others run' });
      expect(running('group')).toBe(1);
      for (const { end } of held) end();
    });

    it('knows of jobs that may not run, and counts them as waiting', async () => {
      const jobs = Array.from({ length: 3 }, (_, index) => ({ taskId: newTaskId(), pass: index + 1, lane: 'group' }));
      for (const job of jobs) await opened.store.queue.add(job, wholeMs(0));
      const { held } = await holdDeliveries(opened.store, 4, () => limited({ group: 1 }));
      await heldCount(held, 1);
      await waitUntil(async () => (await opened.store.load.queue()).running === 1, { description: 'the others are held back' });
      expect(await opened.store.load.queue()).toMatchObject({ waiting: 2, running: 1, setAside: 0 });
      expect(await opened.store.queue.has(jobs.map((job) => ({ ...job, mayBeDelayed: false })))).toEqual([true, true, true]);
      for (let ended = 0; ended < 3; ended++) {
        await heldCount(held, ended + 1);
        held[ended]?.end();
      }
    });

    it('takes those first that come before others, also of those that may not run', async () => {
      const { held } = await holdDeliveries(opened.store, 8, () => limited({ group: 1 }));
      await add(1, { lane: 'group' });
      await heldCount(held, 1);
      await add(2, { lane: 'group', priority: 'low' });
      await add(2, { lane: 'group' });
      await add(2, { lane: 'group', priority: 'high' });
      await waitUntil(async () => (await opened.store.load.queue()).waiting === 6, { description: 'the others are held back' });
      for (let ended = 0; ended < 7; ended++) {
        await heldCount(held, ended + 1);
        held[ended]?.end();
      }
      const order = held.slice(1).map(({ delivery }) => delivery.job.priority ?? 'normal');
      expect(order).toEqual(['high', 'high', 'normal', 'normal', 'low', 'low']);
    });

    it('goes by the limits as they are now', async () => {
      let most: number | undefined = 1;
      await add(6, { lane: 'group' });
      const { held } = await holdDeliveries(opened.store, 6, () => limited(most === undefined ? {} : { group: most }));
      await heldCount(held, 1);
      most = undefined;
      held[0]?.end();
      await waitUntil(() => held.length === 6, { description: 'all run' });
      for (const { end } of held) end();
    });
  });

  describe(`the task queue in ${name}, with limits and workers that are lost`, () => {
    opens();

    it('has the place of a worker that is gone free with its job', async () => {
      await add(4, { lane: 'group' });
      const rules = (): LaneRules => limited({ group: 2 });
      const gone = await holdDeliveries(opened.store, 4, rules);
      await heldCount(gone.held, 2);
      await gone.consumer.close();
      const { held } = await holdDeliveries(opened.store, 4, rules);
      await heldCount(held, 2);
      for (let ended = 0; ended < 4; ended++) {
        await waitUntil(() => held.length > ended, { description: `job ${ended} is delivered` });
        held[ended]?.end();
      }
      expect(held.filter(({ delivery }) => delivery.lost === true)).toHaveLength(2);
    });
  });
}
