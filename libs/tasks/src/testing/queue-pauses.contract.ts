import { wholeMs } from '../domain/milliseconds.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { pauseName } from '../ports/queue-pauses.js';
import type { TaskConsumer, TaskJob } from '../ports/task-queue.js';
import type { ContractStore, OpenedStore } from './contract-store.js';
import { heldCount, type HeldDeliveries, holdDeliveries } from './held-deliveries.js';
import { opening } from './opening.js';
import { newTaskId } from './task-history.js';
import { waitUntil } from './wait-until.js';

const ALL = pauseName();
const OF_TOOL = pauseName('tool');

/** Declares the contract of the queue's pauses on every store. */
export function queuePausesContract({ name, open }: ContractStore): void {
  describe(`the pauses of the queue in ${name}`, () => {
    let opened: OpenedStore;
    beforeEach(opening(open, (openedStore) => (opened = openedStore)));

    const newJob = (pass = 1, lane?: string): TaskJob => ({ taskId: newTaskId(), pass, ...(lane !== undefined && { lane }) });
    const hold = (concurrency?: number): Promise<HeldDeliveries> => holdDeliveries(opened.store, concurrency);

    /** Adds jobs, and has a consumer set them aside. */
    async function setAside(jobs: readonly TaskJob[], pausedBy = OF_TOOL): Promise<void> {
      for (const job of jobs) await opened.store.queue.add(job, wholeMs(0));
      const { consumer, held } = await hold(jobs.length);
      await heldCount(held, jobs.length);
      for (const { end } of held) end({ pausedBy });
      await waitUntil(() => consumer.active === 0, { description: 'all are set aside' });
      await consumer.drain();
    }

    it('are nothing at first, and last until they are ended', async () => {
      const { pauses } = opened.store;
      expect(await pauses.present()).toEqual({ all: false, tools: [] });
      await pauses.pause('b');
      await pauses.pause('a');
      await pauses.pause('a');
      await pauses.pause();
      expect(await pauses.present()).toEqual({ all: true, tools: ['a', 'b'] });
      await pauses.resume('a');
      await pauses.resume();
      await pauses.resume('c');
      expect(await pauses.present()).toEqual({ all: false, tools: ['b'] });
    });

    it('are noticed by those who listen', async () => {
      const { pauses } = opened.store;
      let changes = 0;
      const unsubscribe = await pauses.onChange(() => (changes += 1));
      await pauses.pause('a');
      await waitUntil(() => changes === 1, { description: 'the pause is noticed' });
      await pauses.resume('a');
      await waitUntil(() => changes === 2, { description: 'its end is noticed' });
      unsubscribe();
    });

    it('keep jobs that are set aside, which are in the queue and counted apart, but are delivered to nobody', async () => {
      const { pauses, queue, load } = opened.store;
      await pauses.pause('tool');
      const jobs = [newJob(), newJob()];
      await setAside(jobs);
      expect(await queue.has(jobs.map((job) => ({ ...job, mayBeDelayed: false })))).toEqual([true, true]);
      expect(await load.queue()).toEqual({ waiting: 0, setAside: 2, delayed: 0, running: 0 });
      expect(await pauses.putBack(10)).toBe(0);
      // Added again while it is set aside, it is there once.
      await queue.add(jobs[0]!, wholeMs(0));
      const later = newJob(2);
      await queue.add(later, wholeMs(0));
      const { held } = await hold();
      await heldCount(held, 1);
      expect(held[0]?.delivery.job).toMatchObject(later);
      held[0]?.end();
    });

    it('give jobs back when they are over, in the order in which they were set aside, and none of them counts as lost', async () => {
      const { pauses } = opened.store;
      await pauses.pause('tool');
      const jobs = [newJob(), newJob(), newJob()];
      for (const job of jobs) await setAside([job]);
      await pauses.resume('tool');
      expect(await pauses.putBack(2)).toBe(2);
      expect(await pauses.putBack(2)).toBe(1);
      expect(await pauses.putBack(2)).toBe(0);
      const seen: string[] = [];
      await opened.store.consume(
        async ({ job, redelivered, lost = false }) => {
          seen.push(`${job.taskId} ${redelivered} ${lost}`);
          return {};
        },
        { concurrency: 1 },
      );
      await waitUntil(() => seen.length === 3, { description: 'all are delivered' });
      expect(seen).toEqual(jobs.map(({ taskId }) => `${taskId} false false`));
    });

    it('give back only what nothing else pauses', async () => {
      const { pauses } = opened.store;
      await pauses.pause('tool');
      await pauses.pause();
      const [ofTool, ofAll] = [newJob(), newJob()];
      await setAside([ofTool]);
      await setAside([ofAll], ALL);
      await pauses.resume();
      expect(await pauses.putBack(10)).toBe(1);
      const { held } = await hold();
      await heldCount(held, 1);
      expect(held[0]?.delivery.job).toMatchObject(ofAll);
      held[0]?.end();
    });

    it('deliver a job again at once that is set aside for a pause that is over', async () => {
      await opened.store.queue.add(newJob(), wholeMs(0));
      const { held } = await hold();
      await heldCount(held, 1);
      held[0]?.end({ pausedBy: OF_TOOL });
      await heldCount(held, 2);
      expect(held[1]?.delivery).toMatchObject({ job: held[0]?.delivery.job, redelivered: false, lost: false });
      held[1]?.end();
    });

    it('wake a worker that has nothing to do', async () => {
      const { pauses } = opened.store;
      await pauses.pause('tool');
      await setAside([newJob()]);
      const { held } = await hold();
      await pauses.resume('tool');
      await pauses.putBack(10);
      await heldCount(held, 1);
      held[0]?.end();
    });

    it('keep what is set aside when the worker dies that did it, and leave alone what it had lost before', async () => {
      const { pauses } = opened.store;
      await pauses.pause('tool');
      await opened.store.queue.add(newJob(), wholeMs(0));
      const [dead, heir] = [await hold(1), await hold(1)];
      await waitUntil(() => dead.held.length + heir.held.length === 1, { description: 'one has the job' });
      const [first, second] = dead.held.length === 1 ? [dead, heir] : [heir, dead];
      await second.consumer.recover(first.consumer.lockToken, async () => true);
      await heldCount(second.held, 1);
      // It comes too late: the other one has the job.
      first.held[0]?.end({ pausedBy: OF_TOOL });
      second.held[0]?.end({ pausedBy: OF_TOOL });
      await waitUntil(() => second.consumer.active === 0, { description: 'it is set aside' });
      await closeAll([first.consumer, second.consumer]);
      await pauses.resume('tool');
      await waitUntil(async () => (await pauses.putBack(10)) === 1, { description: 'it is put back once' });
      expect(await pauses.putBack(10)).toBe(0);
      const { held } = await hold();
      await heldCount(held, 1);
      held[0]?.end();
    });
  });
}

async function closeAll(consumers: readonly TaskConsumer[]): Promise<void> {
  await Promise.all(consumers.map((consumer) => consumer.close()));
}
