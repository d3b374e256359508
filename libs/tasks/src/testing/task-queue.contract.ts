import { wholeMs } from '../domain/milliseconds.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TaskConsumer } from '../ports/task-queue.js';
import { heldCount, type HeldDeliveries, holdDeliveries } from './held-deliveries.js';
import { newTaskId } from './task-history.js';
import { waitUntil } from './wait-until.js';
import type { ContractStore, OpenedStore } from './contract-store.js';
import { opening } from './opening.js';

/** Declares the contract of the task queue on every store. */
export function taskQueueContract({ name, open }: ContractStore): void {
  describe(`the task queue in ${name}`, () => {
    let opened: OpenedStore;
    beforeEach(opening(open, (openedStore) => (opened = openedStore)));

    const hold = (concurrency?: number): Promise<HeldDeliveries> => holdDeliveries(opened.store, concurrency);

    /** Consumes jobs, ends them at once, and notes when they came. */
    async function collect(): Promise<{ consumer: TaskConsumer; seen: { pass: number; at: number; redelivered: boolean }[] }> {
      const seen: { pass: number; at: number; redelivered: boolean }[] = [];
      const consumer = await opened.store.consume(
        async ({ job, redelivered }) => {
          seen.push({ pass: job.pass, at: Date.now(), redelivered });
          return {};
        },
        { concurrency: 10 },
      );
      return { consumer, seen };
    }

    it('delivers a job, also one that was added before anybody consumed', async () => {
      const taskId = newTaskId();
      await opened.store.queue.add({ taskId, pass: 1 }, wholeMs(0));
      const { held } = await hold();
      await heldCount(held, 1);
      expect(held[0]?.delivery).toMatchObject({ job: { taskId, pass: 1 }, redelivered: false });
      expect(held[0]?.delivery.signal.aborted).toBe(false);
      held[0]?.end();
    });

    it('delivers a job once that was added twice while it waited or ran', async () => {
      const { queue } = opened.store;
      const taskId = newTaskId();
      await Promise.all([queue.add({ taskId, pass: 1 }, wholeMs(0)), queue.add({ taskId, pass: 1 }, wholeMs(0))]);
      const { held } = await hold();
      await heldCount(held, 1);
      await queue.add({ taskId, pass: 1 }, wholeMs(0));
      // A later job comes after a delivery of the second one, if there were one.
      await queue.add({ taskId, pass: 2 }, wholeMs(0));
      await heldCount(held, 2);
      expect(held.map(({ delivery }) => delivery.job.pass)).toEqual([1, 2]);
      for (const { end } of held) end();
    });

    it('withdraws a job that is delayed, and none that waits', async () => {
      const { queue } = opened.store;
      const [delayed, waiting] = [newTaskId(), newTaskId()].map((taskId) => ({ taskId, pass: 2 }));
      if (delayed === undefined || waiting === undefined) expect.unreachable();
      await queue.add(delayed, wholeMs(Date.now() + 86_400_000));
      await queue.add(waiting, wholeMs(0));
      const sought = [delayed, waiting].map((job) => ({ ...job, mayBeDelayed: true }));
      expect(await queue.has(sought)).toEqual([true, true]);
      for (const job of [delayed, waiting, delayed]) await queue.withdraw(job);
      expect(await queue.has(sought)).toEqual([false, true]);
      await queue.add(delayed, wholeMs(0));
      const { held } = await hold();
      await heldCount(held, 2);
      for (const { end } of held) end();
    });

    it('delivers a job anew that was added again after it had ended', async () => {
      const taskId = newTaskId();
      const { consumer, held } = await hold();
      await opened.store.queue.add({ taskId, pass: 1 }, wholeMs(0));
      await heldCount(held, 1);
      held[0]?.end();
      await waitUntil(() => consumer.active === 0, { description: 'the first delivery has ended' });
      await waitUntil(
        async () => {
          await opened.store.queue.add({ taskId, pass: 1 }, wholeMs(0));
          return held.length === 2;
        },
        { description: 'the job is delivered anew' },
      );
      held[1]?.end();
    });

    it('delivers a job of its own for a task that was given back, also while its other job has not ended', async () => {
      const taskId = newTaskId();
      const job = { taskId, pass: 2 };
      const givenBack = { tool: 'research', asked: ['1.0.0'], attemptSince: 3, misfit: 'it did not fit' };
      const again = { ...job, mayBeDelayed: false };
      const { held } = await hold();
      await opened.store.queue.add(job, wholeMs(0));
      await heldCount(held, 1);
      expect(held[0]?.delivery.givenBack).toBeUndefined();
      for (let times = 2; times <= 3; times++) {
        await opened.store.queue.addGivenBack(job, { ...givenBack, times });
        await heldCount(held, times);
        expect(held[times - 1]?.delivery).toMatchObject({ job, givenBack, redelivered: false });
      }
      held[0]?.end();
      expect(await opened.store.queue.has([again]), 'a lookup of a job of the pass finds it').toEqual([true]);
      for (const { end } of held) end();
    });

    it('holds a job back until it is due', async () => {
      const { seen } = await collect();
      const dueAt = Date.now() + 300;
      await opened.store.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(dueAt));
      await waitUntil(() => seen.length === 1, { description: 'the job is delivered' });
      expect(seen[0]?.at).toBeGreaterThanOrEqual(dueAt);
    });

    it('delivers a job at once whose time is over', async () => {
      const { seen } = await collect();
      await opened.store.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(Date.now() - 5000));
      await waitUntil(() => seen.length === 1, { description: 'the job is delivered' });
    });

    it('does not let a delayed job hold up the immediate one of the same pass', async () => {
      const { queue } = opened.store;
      const taskId = newTaskId();
      const { seen } = await collect();
      await queue.add({ taskId, pass: 1 }, wholeMs(Date.now() + 3_600_000));
      await queue.add({ taskId, pass: 1 }, wholeMs(0));
      await waitUntil(() => seen.length === 1, { description: 'the immediate job is delivered' });
    });

    it('delivers a job again when its verdict says so, and does not call that a redelivery', async () => {
      const { held } = await hold();
      await opened.store.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(0));
      await heldCount(held, 1);
      const againAt = Date.now() + 200;
      held[0]?.end({ againAt: wholeMs(againAt) });
      await heldCount(held, 2);
      expect(Date.now()).toBeGreaterThanOrEqual(againAt);
      expect(held[1]?.delivery).toMatchObject({ job: held[0]?.delivery.job, redelivered: false });
      held[1]?.end({ againAt: wholeMs(Date.now()) });
      await heldCount(held, 3);
      expect(held[2]?.delivery.redelivered).toBe(false);
      held[2]?.end();
    });

    it('delivers a job again after a second when its handler rejects, and reports the error', async () => {
      const { held } = await hold();
      await opened.store.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(0));
      await heldCount(held, 1);
      const failure = new Error('Nobody could judge it.');
      const rejectedAt = Date.now();
      held[0]?.reject(failure);
      await heldCount(held, 2);
      expect(Date.now() - rejectedAt).toBeGreaterThanOrEqual(950);
      expect(held[1]?.delivery.redelivered).toBe(true);
      expect(opened.errors).toContain(failure);
      held[1]?.end();
    });

    it('delivers the job of a lost worker to another one, as a redelivery', async () => {
      const lost = await hold();
      const taskId = newTaskId();
      await opened.store.queue.add({ taskId, pass: 4 }, wholeMs(0));
      await heldCount(lost.held, 1);
      const other = await hold();
      await lost.consumer.close();
      expect(lost.held[0]?.delivery.signal.aborted).toBe(true);
      lost.held[0]?.end();
      await heldCount(other.held, 1);
      expect(other.held[0]?.delivery).toMatchObject({ job: { taskId, pass: 4 }, redelivered: true });
      other.held[0]?.end();
    });

    it('delivers a job of a handler that ends while its worker is closed to another one', async () => {
      const lost = await hold();
      await opened.store.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(0));
      await heldCount(lost.held, 1);
      lost.held[0]?.delivery.signal.addEventListener('abort', () => lost.held[0]?.end());
      await lost.consumer.close();
      const other = await hold();
      await heldCount(other.held, 1);
      expect(other.held[0]?.delivery.redelivered).toBe(true);
      other.held[0]?.end();
    });

    it('runs no more jobs at once than its concurrency, and all of them in the end', async () => {
      const { consumer, held } = await hold(3);
      for (let pass = 1; pass <= 8; pass++) await opened.store.queue.add({ taskId: newTaskId(), pass }, wholeMs(0));
      let ended = 0;
      while (ended < 8) {
        const expected = Math.min(ended + 3, 8);
        await heldCount(held, expected);
        expect(consumer.active).toBe(expected - ended);
        held[ended]?.end();
        ended += 1;
      }
      await waitUntil(() => consumer.active === 0, { description: 'all have ended' });
    });

    it('takes no job before it may', async () => {
      await opened.store.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(0));
      const seen: string[] = [];
      await opened.store.consume(
        async () => {
          seen.push('a job');
          return {};
        },
        {
          concurrency: 10,
          beforeFirstJob: async (consumer) => {
            // Long enough for the job that waits.
            await new Promise((resolve) => setTimeout(resolve, 50));
            seen.push(consumer.lockToken.length > 0 ? 'ready' : 'without a token');
          },
        },
      );
      await waitUntil(() => seen.length === 2, { description: 'the job is delivered' });
      expect(seen).toEqual(['ready', 'a job']);
    });

    it('gives the jobs of a dead consumer, and only those, to others', async () => {
      const [dead, living] = [await hold(1), await hold(1)];
      const jobs = [newTaskId(), newTaskId()].map((taskId) => ({ taskId, pass: 1 }));
      for (const job of jobs) await opened.store.queue.add(job, wholeMs(0));
      await waitUntil(() => dead.held.length === 1 && living.held.length === 1, { description: 'each has a job' });
      const heir = await hold(10);
      expect(await heir.consumer.recover(dead.consumer.lockToken, async () => false)).toBeUndefined();
      expect(await heir.consumer.recover(dead.consumer.lockToken, async () => true)).toBe(1);
      await heldCount(heir.held, 1);
      expect(heir.held[0]?.delivery).toMatchObject({ job: dead.held[0]?.delivery.job, redelivered: true, lost: true });
      expect(living.held[0]?.delivery.signal.aborted).toBe(false);
      for (const { held } of [dead, living, heir]) held[0]?.end();
    });

    it('takes no new jobs while it drains, and waits for the running ones', async () => {
      const draining = await hold();
      await opened.store.queue.add({ taskId: newTaskId(), pass: 1 }, wholeMs(0));
      await heldCount(draining.held, 1);
      let drained = false;
      const drain = draining.consumer.drain().then(() => {
        drained = true;
      });
      await opened.store.queue.add({ taskId: newTaskId(), pass: 2 }, wholeMs(0));
      const other = await collect();
      await waitUntil(() => other.seen.length === 1, { description: 'another worker takes the new job' });
      expect(other.seen[0]).toMatchObject({ pass: 2, redelivered: false });
      expect(drained).toBe(false);
      draining.held[0]?.end();
      await drain;
      expect(draining.consumer.active).toBe(0);
      expect(draining.held).toHaveLength(1);
      await draining.consumer.close();
    });

    it('knows for which passes it has a job, whether that waits, is delayed or runs', async () => {
      const { queue } = opened.store;
      const [none, waiting, delayed, running] = Array.from({ length: 4 }, () => ({ taskId: newTaskId(), pass: 2, mayBeDelayed: true }));
      const asked = [none!, waiting!, delayed!, running!, { ...running!, pass: 1 }];
      expect(await queue.has(asked)).toEqual([false, false, false, false, false]);
      await queue.add(running!, wholeMs(0));
      const { consumer, held } = await hold(1);
      await heldCount(held, 1);
      await queue.add(waiting!, wholeMs(0));
      await queue.add(delayed!, wholeMs(Date.now() + 60_000));
      expect(await queue.has(asked)).toEqual([false, true, true, true, false]);
      expect(await queue.has([{ ...delayed!, mayBeDelayed: false }])).toEqual([false]);
      held[0]?.end();
      await heldCount(held, 2);
      held[1]?.end();
      await waitUntil(() => consumer.active === 0, { description: 'both have ended' });
      await waitUntil(async () => (await queue.has([running!, waiting!])).every((found) => !found), { description: 'both are forgotten' });
      expect(await queue.has([])).toEqual([]);
    });

    it('knows of a delayed job that runs', async () => {
      const { queue } = opened.store;
      const job = { taskId: newTaskId(), pass: 1, mayBeDelayed: true };
      const { held } = await hold();
      await queue.add(job, wholeMs(Date.now() + 50));
      await heldCount(held, 1);
      expect(await queue.has([job])).toEqual([true]);
      held[0]?.end();
    });

    it('delivers a job that takes the place of a lost one as recovered, and not as a redelivery', async () => {
      const { queue } = opened.store;
      const job = { taskId: newTaskId(), pass: 1 };
      await Promise.all([queue.recover(job), queue.recover(job)]);
      const { held } = await hold();
      await heldCount(held, 1);
      expect(held[0]?.delivery).toMatchObject({ job, redelivered: false, recovered: true });
      expect(held[0]?.delivery.job).toEqual(job);
      await queue.add({ ...job, pass: 2 }, wholeMs(0));
      await heldCount(held, 2);
      expect(held[1]?.delivery.recovered).toBe(false);
      for (const { end } of held) end();
    });

    it('delivers a side job again as often as it says so', async () => {
      const runs: unknown[] = [];
      const run = { sessionId: 'session', name: 'weather', runId: newTaskId() };
      await opened.store.consume(async () => ({}), {
        concurrency: 10,
        sideJobs: {
          session: async (delivered) => {
            runs.push(delivered);
            return runs.length < 3 ? { againAt: wholeMs(Date.now() + 10) } : {};
          },
        },
      });
      await opened.store.queue.addSideJob({ kind: 'session', id: `session-${run.runId}`, data: run });
      await waitUntil(() => runs.length === 3, { description: 'the job has run three times' });
      expect(runs).toEqual([run, run, run]);
      const next = { ...run, runId: newTaskId() };
      await opened.store.queue.addSideJob({ kind: 'session', id: `session-${next.runId}`, data: next });
      await waitUntil(() => runs.length > 3, { description: 'the next start has run' });
      expect(runs.slice(3)).toEqual([next]);
    });

    it('delivers a side job again that could not be judged', async () => {
      let tries = 0;
      await opened.store.consume(async () => ({}), {
        concurrency: 10,
        sideJobs: {
          session: async () => {
            tries += 1;
            if (tries === 1) throw new Error('the store is away');
            return {};
          },
        },
      });
      await opened.store.queue.addSideJob({ kind: 'session', id: newTaskId(), data: { sessionId: 'session' } });
      await waitUntil(() => tries === 2, { description: 'the job was tried again' });
    });

    it('drains at once when nothing runs', async () => {
      const { consumer } = await hold();
      await consumer.drain();
      expect(consumer.active).toBe(0);
    });
  });
}
