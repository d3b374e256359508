import { wholeMs } from '../domain/milliseconds.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { type LaneRules, type LimitOfKey, NO_RULES } from '../ports/lane-rules.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskConsumer } from '../ports/task-queue.js';
import type { ContractStore, OpenedStore, OpenOptions } from './contract-store.js';
import { type Held, heldCount, holdDeliveries } from './held-deliveries.js';
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

  async function add(count: number, job: { lane: string; tool?: string; priority?: number }): Promise<void> {
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
      await add(2, { lane: 'group', priority: -1 });
      await add(2, { lane: 'group' });
      await add(2, { lane: 'group', priority: 1 });
      await waitUntil(async () => (await opened.store.load.queue()).waiting === 6, { description: 'the others are held back' });
      for (let ended = 0; ended < 7; ended++) {
        await heldCount(held, ended + 1);
        held[ended]?.end();
      }
      const order = held.slice(1).map(({ delivery }) => delivery.job.priority ?? 0);
      expect(order).toEqual([1, 1, 0, 0, -1, -1]);
    });

    it('has a job of a low priority wait for no more than those that come in the time that its priority stands for', async () => {
      const { held } = await holdDeliveries(opened.store, 8, () => limited({ group: 1 }));
      await add(1, { lane: 'group' });
      await heldCount(held, 1);
      // As if it had come 20 minutes ago.
      await opened.store.queue.add({ taskId: newTaskId(), pass: 1, lane: 'group', priority: 20 }, wholeMs(0));
      await add(2, { lane: 'group', priority: 10 });
      await waitUntil(async () => (await opened.store.load.queue()).waiting === 3, { description: 'the others are held back' });
      for (let ended = 0; ended < 4; ended++) {
        await heldCount(held, ended + 1);
        held[ended]?.end();
      }
      expect(held.slice(1).map(({ delivery }) => delivery.job.priority)).toEqual([20, 10, 10]);
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

  describe(`the task queue in ${name}, with limits by key`, () => {
    opens({ areLocksLong: true });

    /** The keys of jobs by their tasks, as arguments would give them. */
    const keys = new Map<string, string>();
    const keyOf = async ({ taskId }: { readonly taskId: string }): Promise<string | undefined> => keys.get(taskId);
    const byKey = (limit: LimitOfKey): LaneRules => ({ ...NO_RULES, limitByKeyOf: (tool) => (tool === 'keyed' ? limit : undefined) });
    const addKeyed = async (key: string, { pass = 1, lane = `lane of ${key}` } = {}): Promise<TaskId> => {
      const taskId = newTaskId();
      keys.set(taskId, key);
      await opened.store.queue.add({ taskId, pass, lane, tool: 'keyed' }, wholeMs(0));
      return taskId;
    };
    const hold = async (rules: LaneRules, concurrency = 10) => holdDeliveries(opened.store, concurrency, () => rules, keyOf);
    const running = (held: readonly Held[], key: string): Held[] =>
      held.filter(({ delivery, isEnded }) => !isEnded && keys.get(delivery.job.taskId) === key);

    it('runs one job of a key at a time in their order, and others meanwhile', async () => {
      const { held } = await hold(byKey({ maxRunning: 1 }), 3);
      const first = await addKeyed('a');
      await heldCount(held, 1);
      const later: TaskId[] = [];
      // Jobs of one millisecond have no order.
      for (let at = 0; at < 2; at += 1) {
        const taskId = await addKeyed('a');
        later.push(taskId);
        await waitUntil(async () => (await opened.store.load.heldBack({ taskId, pass: 1 })) !== undefined, {
          description: 'it is held back',
        });
      }
      expect(await opened.store.load.heldBack({ taskId: later[0] as TaskId, pass: 1 })).toEqual({ by: 'key', ahead: 0 });
      expect(await opened.store.load.heldBack({ taskId: later[1] as TaskId, pass: 1 })).toEqual({ by: 'key', ahead: 1 });
      expect(await opened.store.load.heldBack({ taskId: first, pass: 1 })).toBeUndefined();
      await addKeyed('b');
      await addKeyed('c');
      await waitUntil(() => running(held, 'b').length === 1 && running(held, 'c').length === 1, { description: 'other keys run' });
      for (const taskId of [first, ...later]) {
        await waitUntil(() => running(held, 'a').length === 1, { description: 'the next one runs' });
        expect(running(held, 'a')[0]?.delivery.job.taskId).toBe(taskId);
        running(held, 'a')[0]?.end();
      }
      for (const { end } of held) end();
    });

    it('runs 1,000 keys over two workers, each no more than it may, and all in the end', async () => {
      const limit = 2;
      const all: Promise<TaskId>[] = [];
      for (let number = 0; number < 3_000; number++) all.push(addKeyed(`key ${number % 1_000}`, { lane: `lane ${number % 7}` }));
      await Promise.all(all);
      const now = new Map<string, number>();
      let most = 0;
      let ended = 0;
      const run = async ({ job: { taskId } }: { readonly job: { readonly taskId: string } }): Promise<object> => {
        const key = keys.get(taskId) ?? '';
        now.set(key, (now.get(key) ?? 0) + 1);
        most = Math.max(most, now.get(key) ?? 0);
        await new Promise((resolve) => setTimeout(resolve, 2));
        now.set(key, (now.get(key) ?? 0) - 1);
        ended += 1;
        return {};
      };
      const options = { concurrency: 50, rules: () => byKey({ maxRunning: limit }), keyOf };
      const consumers = [await opened.store.consume(run, options), await opened.store.consume(run, options)];
      await waitUntil(() => ended === 3_000, { description: 'all have ended', timeoutMs: 60_000 });
      expect(most).toBeLessThanOrEqual(limit);
      for (const consumer of consumers) await consumer.close();
    });

    it('begins no more of a key than it may in its time, and does not count passes that continue', async () => {
      let rules = byKey({ perSecond: 1 / 3_600 });
      const firsts = await Promise.all([addKeyed('a'), addKeyed('a'), addKeyed('a')]);
      const { held } = await holdDeliveries(opened.store, 10, () => rules, keyOf);
      const heldBack = async (): Promise<number> =>
        (await Promise.all(firsts.map((taskId) => opened.store.load.heldBack({ taskId, pass: 1 })))).filter((each) => each?.by === 'rate')
          .length;
      await waitUntil(async () => (await heldBack()) === 2, { description: 'the others are held back' });
      await addKeyed('a', { pass: 2 });
      await addKeyed('b');
      await waitUntil(() => running(held, 'b').length === 1 && running(held, 'a').length === 2, { description: 'other jobs run' });
      for (const { end } of held) end();
      expect(await heldBack()).toBe(2);
      rules = byKey({ maxRunning: 10 });
      await addKeyed('b');
      await waitUntil(() => held.length === 6, { description: 'the others run without the limit' });
      for (const { end } of held) end();
    });

    it('begins the next one of a key when its time has come', async () => {
      const begins = 4;
      for (let number = 0; number < begins; number++) await addKeyed('a');
      const { held } = await hold(byKey({ perSecond: 2 }));
      for (let ended = 0; ended < begins; ended++) {
        await waitUntil(() => held.length > ended, { description: `job ${ended} runs` });
        held[ended]?.end();
      }
    });

    it('lets a job run that no key is known of', async () => {
      const { held } = await hold(byKey({ maxRunning: 1 }));
      for (let number = 0; number < 3; number++)
        await opened.store.queue.add({ taskId: newTaskId(), pass: 1, lane: 'lane', tool: 'keyed' }, wholeMs(0));
      await heldCount(held, 3);
      for (const { end } of held) end();
    });
  });

  describe(`the task queue in ${name}, with limits by key and workers that are lost`, () => {
    opens();

    it('has the place of a worker that is gone free with its job', async () => {
      const rules: LaneRules = { ...NO_RULES, limitByKeyOf: () => ({ maxRunning: 1 }) };
      const keyOf = async (): Promise<string> => 'key';
      await add(3, { lane: 'lane', tool: 'keyed' });
      const gone = await holdDeliveries(opened.store, 4, () => rules, keyOf);
      await heldCount(gone.held, 1);
      await gone.consumer.close();
      const { held } = await holdDeliveries(opened.store, 4, () => rules, keyOf);
      for (let ended = 0; ended < 3; ended++) {
        await heldCount(held, ended + 1);
        held[ended]?.end();
      }
      expect(held.filter(({ delivery }) => delivery.lost === true)).toHaveLength(1);
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
