import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_LISTED_PASSES, type RegisteredWorker, type WorkerRegistry } from '../ports/worker-registry.js';
import { newTaskId } from './task-history.js';
import { waitUntil } from './wait-until.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';

function newWorker(changes: Partial<RegisteredWorker> = {}): RegisteredWorker {
  const id = randomBytes(4).toString('hex');
  return {
    workerId: `host-1-${id}`,
    version: '1.0.0',
    tools: ['research'],
    lockToken: `token-${id}`,
    startedAt: 1_000,
    slots: 1,
    ...changes,
  };
}

/** Declares the contract of the worker registry on every store. */
export function workerRegistryContract({ name, open }: ContractStore): void {
  describe(`the worker registry in ${name}`, () => {
    let workers: WorkerRegistry;
    beforeEach(opening(open, ({ store }) => ({ workers } = store)));

    const idsOf = (listed: readonly RegisteredWorker[]): string[] => listed.map(({ workerId }) => workerId).toSorted();

    it('lists who beats, with the latest that each says of itself', async () => {
      const [first, second] = [newWorker(), newWorker({ tools: [] })];
      await workers.beat(first);
      await workers.beat(second);
      expect(await workers.live()).toEqual(expect.arrayContaining([first, second]));
      const changed = { ...first, version: '1.0.1', tools: ['research', 'other'] };
      await workers.beat(changed);
      expect(await workers.live()).toHaveLength(2);
      expect(await workers.live()).toContainEqual(changed);
    });

    it('has what each runs now, of many passes those that have run for longest', async () => {
      const running = Array.from({ length: MAX_LISTED_PASSES + 5 }, (_, since) => ({ taskId: newTaskId(), since }));
      const worker = newWorker({ slots: 100, busy: running.length });
      await workers.beat({ ...worker, running: running.slice(0, 2) });
      expect(await workers.live()).toEqual([{ ...worker, running: running.slice(0, 2) }]);
      await workers.beat({ ...worker, running });
      expect(await workers.live()).toEqual([{ ...worker, running: running.slice(0, MAX_LISTED_PASSES) }]);
    });

    it('lets a worker know whether it was known before', async () => {
      const worker = newWorker();
      expect(await workers.beat(worker)).toEqual({ known: false, silentMs: 0, dead: [] });
      expect(await workers.beat(worker)).toEqual({ known: true, silentMs: 0, dead: [] });
    });

    it('finds a worker dead that has not beaten for long enough, and never the one that beats', async () => {
      const [silent, beating] = [newWorker(), newWorker()];
      const silentSince = performance.now();
      await workers.beat(silent);
      const beat = await waitUntil(
        async () => {
          const { dead } = await workers.beat(beating);
          return dead.length > 0 && dead;
        },
        { description: 'the silent worker is found dead' },
      );
      expect(performance.now() - silentSince).toBeGreaterThanOrEqual(workers.times.deadAfterMs - 1);
      expect(beat).toEqual([{ worker: silent, left: false }]);
      expect(await workers.standing(silent.workerId)).toBe('silent');
      expect(await workers.standing(beating.workerId)).toBe('live');
      expect(idsOf(await workers.live())).toEqual([beating.workerId]);
    });

    it('lets a worker know how long another one has been silent that may still live', async () => {
      const [silent, beating] = [newWorker(), newWorker()];
      await workers.beat(silent);
      const silentMs = await waitUntil(
        async () => {
          const beat = await workers.beat(beating);
          return beat.silentMs > workers.times.deadAfterMs / 3 && beat.silentMs;
        },
        { description: 'the silence is noticed' },
      );
      expect(silentMs).toBeLessThanOrEqual(workers.times.deadAfterMs);
    });

    it('finds a worker dead at once that left', async () => {
      const [leaving, beating] = [newWorker(), newWorker()];
      await workers.beat(leaving);
      workers.leave(leaving.workerId);
      expect(await workers.standing(leaving.workerId)).toBe('gone');
      expect(await workers.beat(beating)).toEqual({ known: false, silentMs: 0, dead: [{ worker: leaving, left: true }] });
      expect(idsOf(await workers.live())).toEqual([beating.workerId]);
    });

    it('does not list a worker that leaves and never beat', async () => {
      workers.leave(newWorker().workerId);
      expect(await workers.beat(newWorker())).toMatchObject({ dead: [] });
    });

    it('finds a dead worker until it is forgotten, which it learns should it live after all', async () => {
      const [gone, beating] = [newWorker(), newWorker()];
      await workers.beat(gone);
      workers.leave(gone.workerId);
      for (let beats = 0; beats < 2; beats++) expect((await workers.beat(beating)).dead).toEqual([{ worker: gone, left: true }]);
      expect(await workers.forget(gone.workerId)).toBe(true);
      expect(await workers.forget(gone.workerId)).toBe(false);
      expect((await workers.beat(beating)).dead).toEqual([]);
      expect(await workers.standing(gone.workerId)).toBe('gone');
      expect(await workers.beat(gone)).toMatchObject({ known: false, dead: [] });
      expect(idsOf(await workers.live())).toEqual(idsOf([gone, beating]));
    });

    it('takes a worker for alive again that beats before it was forgotten', async () => {
      const [back, beating] = [newWorker(), newWorker()];
      await workers.beat(back);
      workers.leave(back.workerId);
      expect(await workers.beat(back)).toMatchObject({ known: true, dead: [] });
      expect(await workers.forget(back.workerId)).toBe(false);
      expect(await workers.standing(back.workerId)).toBe('live');
      expect((await workers.beat(beating)).dead).toEqual([]);
    });
  });
}
