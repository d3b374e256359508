import { wholeMs } from '../domain/milliseconds.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ParkedGroup, ParkedTask, ParkedTasks } from '../ports/parked-tasks.js';
import { newTaskId } from './task-history.js';
import { waitUntil } from './wait-until.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';

const newTask = (changes: Partial<ParkedTask> = {}): ParkedTask => ({
  taskId: newTaskId(),
  pass: 1,
  tool: 'research',
  asked: ['1.0.0'],
  attemptSince: 0,
  times: 1,
  ...changes,
});

/** Declares the contract of parked tasks on every store. */
export function parkedTasksContract({ name, open }: ContractStore): void {
  describe(`the parked tasks in ${name}`, () => {
    let parked: ParkedTasks;
    beforeEach(opening(open, ({ store }) => ({ parked } = store)));

    const contents = async (): Promise<Pick<ParkedGroup, 'tool' | 'asked'>[]> =>
      (await parked.groups()).map(({ tool, asked }) => ({ tool, asked }));
    async function takeAll(): Promise<readonly ParkedTask[]> {
      const taken: ParkedTask[] = [];
      for (const group of await parked.groups()) taken.push(...(await parked.take(group, 100)));
      return taken;
    }
    /** Resolves in a later millisecond, so that what is parked next is younger. */
    const tick = (): Promise<unknown> => {
      const { timeOrigin } = performance;
      const before = Math.floor(timeOrigin + performance.now());
      return waitUntil(() => Math.floor(timeOrigin + performance.now()) > before + 1, { description: 'a millisecond is over' });
    };

    it('are none at first', async () => {
      expect(await parked.groups()).toEqual([]);
    });

    it('give a task back as it was parked, once', async () => {
      const task = newTask({
        misfit: 'asked for "a"\nwhere "ä" is recorded',
        lostEpoch: 3,
        lost: true,
        tool: 'a/b "c" ü',
        pass: 7,
        lane: 'a lane',
        attemptSince: 12,
      });
      await parked.park(task);
      expect(await takeAll()).toEqual([task]);
      expect(await parked.groups()).toEqual([]);
    });

    it('give no task to two takers', async () => {
      const tasks = Array.from({ length: 20 }, () => newTask());
      await Promise.all(tasks.map((task) => parked.park(task)));
      const [group] = await parked.groups();
      if (group === undefined) throw new Error('No group.');
      const taken = (await Promise.all([1, 2, 3].map(() => parked.take(group, 10)))).flat();
      expect(taken.map(({ taskId }) => taskId).toSorted()).toEqual(tasks.map(({ taskId }) => taskId).toSorted());
      expect(await parked.take(group, 10)).toEqual([]);
    });

    it('are grouped by their tool and by all versions that were asked, in any order', async () => {
      const versions = ['1.0.0', '1.1.0+ab'];
      for (const changes of [{}, {}, { tool: 'res' }, { asked: versions }, { asked: versions.toReversed() }])
        await parked.park(newTask(changes));
      const groups = await contents();
      expect(groups).toHaveLength(3);
      expect(groups).toEqual(
        expect.arrayContaining([
          { tool: 'research', asked: ['1.0.0'] },
          { tool: 'res', asked: ['1.0.0'] },
          { tool: 'research', asked: versions },
        ]),
      );
    });

    it('are taken in the order in which they were parked, no more than asked for', async () => {
      const tasks = [newTask(), newTask(), newTask()];
      for (const task of tasks) {
        await parked.park(task);
        await tick();
      }
      const [group] = await parked.groups();
      if (group === undefined) throw new Error('No group.');
      expect(await parked.take(group, 2)).toEqual(tasks.slice(0, 2));
      expect(await parked.take(group, 2)).toEqual(tasks.slice(2));
    });

    it('are taken only by those who name their group', async () => {
      await parked.park(newTask());
      const [group] = await parked.groups();
      if (group === undefined) throw new Error('No group.');
      const other = newTask({ asked: ['2.0.0'] });
      await parked.park(other);
      expect(await parked.take(group, 100)).toHaveLength(1);
      expect(await takeAll()).toEqual([other]);
    });

    it('stay parked since they were, when they are parked again', async () => {
      const [first, second] = [newTask(), newTask()];
      await parked.park(first);
      await tick();
      await parked.park(second);
      await tick();
      await parked.park(first);
      expect(await takeAll()).toEqual([first, second]);
    });

    it('have been asked for by the versions of both, when they are parked again', async () => {
      const task = newTask({ asked: ['2.0.0'], misfit: 'it did not fit', lostEpoch: 4, lost: true });
      await parked.park(task);
      const { misfit: _misfit, lostEpoch: _lostEpoch, lost: _lost, ...again } = task;
      await parked.park({ ...again, asked: ['1.0.0'], pass: 2 });
      expect(await contents()).toEqual([{ tool: 'research', asked: ['1.0.0', '2.0.0'] }]);
      expect(await takeAll()).toEqual([{ ...again, asked: ['1.0.0', '2.0.0'], pass: 2, misfit: 'it did not fit', lost: true }]);
    });

    it('keep the later pass when an older one is parked after it', async () => {
      const task = newTask({ pass: 3, lostEpoch: 5 });
      await parked.park(task);
      await parked.park({ ...task, pass: 2 });
      expect(await takeAll()).toEqual([task]);
    });

    it('count the later attempt only', async () => {
      const task = newTask({ asked: ['1.0.0'], attemptSince: 5, misfit: 'it did not fit' });
      await parked.park(task);
      const { misfit: _misfit, ...tool } = task;
      const later = { ...tool, asked: ['2.0.0'], attemptSince: 9 };
      await parked.park(later);
      await parked.park({ ...task, asked: ['3.0.0'] });
      expect(await takeAll()).toEqual([later]);
    });

    it('are taken only when they were parked for long enough, where that is asked for', async () => {
      const task = newTask();
      const parkedAt = performance.now();
      await parked.park(task);
      const [group] = await parked.groups();
      if (group === undefined) throw new Error('No group.');
      expect(await parked.take(group, 10, wholeMs(60_000))).toEqual([]);
      const taken = await waitUntil(
        async () => {
          const found = await parked.take(group, 10, wholeMs(150));
          return found.length > 0 && found;
        },
        { description: 'the task was parked for long enough' },
      );
      expect(taken).toEqual([task]);
      expect(performance.now() - parkedAt).toBeGreaterThan(140);
    });

    it('are reported to listeners when they are parked', async () => {
      const heard: (ParkedGroup | undefined)[] = [];
      const stop = await parked.onParked((group) => heard.push(group));
      await parked.park(newTask());
      await waitUntil(() => heard.length > 0, { description: 'the listener has its group' });
      expect(heard).toEqual(await parked.groups());
      stop();
      await parked.park(newTask());
      await parked.groups();
      expect(heard).toHaveLength(1);
    });
  });
}
