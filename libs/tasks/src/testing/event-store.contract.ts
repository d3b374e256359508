import { beforeAll, describe, expect, it } from 'vitest';
import type { EventStore } from '../ports/event-store.js';
import { newTaskId, TaskHistory } from './task-history.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';

/** Declares the contract of the event store on every store. */
export function eventStoreContract({ name, open }: ContractStore): void {
  describe(`the event store in ${name}`, () => {
    let events: EventStore;
    beforeAll(opening(open, ({ store }) => ({ events } = store)));

    describe('append', () => {
      it('writes the events in order and gives them back as they were', async () => {
        const task = new TaskHistory();
        const requests = [task.create(), task.claim(), task.step('fetch', 'ü ☂ \n "quoted"')];
        for (const request of requests) expect(await events.append(request)).toBe('appended');
        expect(await events.read(task.taskId)).toEqual(task.events);
      });

      it('writes several events at once', async () => {
        const task = new TaskHistory();
        await events.append(task.create());
        await events.append(task.claim());
        const { epoch, startedAt: at } = { epoch: task.state.epoch, startedAt: task.startedAt };
        const request = task.append(
          Array.from({ length: 20 }, (_, index) => ({ type: 'CompleteStep' as const, at, epoch, key: `step:${index}`, value: index })),
          epoch,
        );
        expect(await events.append(request)).toBe('appended');
        expect(await events.read(task.taskId)).toHaveLength(22);
      });

      it('refuses an append that expects another version, and writes nothing of it', async () => {
        const task = new TaskHistory();
        await events.append(task.create());
        const late = task.fork();
        await events.append(task.claim());
        expect(await events.append(late.cancel())).toBe('conflict');
        expect(await events.read(task.taskId)).toHaveLength(2);
        expect(await events.views([task.taskId])).toEqual([task.projection.view]);
      });

      it('refuses to create a task twice', async () => {
        const task = new TaskHistory();
        await events.append(task.create());
        expect(await events.append(new TaskHistory(task.taskId).create({ owner: 'mallory' }))).toBe('conflict');
      });

      it('refuses an append to a task that does not exist', async () => {
        const task = new TaskHistory();
        task.create();
        expect(await events.append(task.claim())).toBe('conflict');
        expect(await events.read(task.taskId)).toEqual([]);
      });

      it('lets exactly one of many racing writers win', async () => {
        const task = new TaskHistory();
        await events.append(task.create());
        await events.append(task.claim());
        const writers = Array.from({ length: 20 }, () => task.fork());
        const results = await Promise.all(writers.map((writer, index) => events.append(writer.step('race', `writer ${index}`))));
        expect(results.filter((result) => result === 'appended')).toHaveLength(1);
        expect(results.filter((result) => result === 'conflict')).toHaveLength(19);
        const winner = results.indexOf('appended');
        expect((await events.read(task.taskId, 2)).map(({ data }) => data)).toEqual([{ key: 'race', value: `writer ${winner}` }]);
      });

      it('fences out a worker whose task was claimed again, with any expected version', async () => {
        const task = new TaskHistory();
        await events.append(task.create());
        await events.append(task.claim());
        const zombie = task.fork();
        await events.append(task.claim());
        expect(await events.append(zombie.fork().step('late', 'behind'))).toBe('fenced');
        expect(await events.append({ ...zombie.step('late', 'level'), expectedVersion: task.state.version })).toBe('fenced');
        expect(await events.append(task.step('mine', 'ok'))).toBe('appended');
      });

      it('lets others write while a worker holds the task', async () => {
        const task = new TaskHistory();
        await events.append(task.create());
        await events.append(task.claim());
        expect(await events.append(task.cancel())).toBe('appended');
      });
    });

    describe('read', () => {
      it('gives the events after a version', async () => {
        const task = new TaskHistory();
        for (const request of [task.create(), task.claim(), task.step('a', '1'), task.step('b', '2')]) await events.append(request);
        expect((await events.read(task.taskId, 2)).map(({ data }) => data)).toEqual([
          { key: 'a', value: '1' },
          { key: 'b', value: '2' },
        ]);
        expect(await events.read(task.taskId, 4)).toEqual([]);
      });

      it('gives nothing for a task that does not exist', async () => {
        expect(await events.read(newTaskId())).toEqual([]);
      });

      it('gives versions in the order of numbers, not of text', async () => {
        const task = new TaskHistory();
        await events.append(task.create());
        await events.append(task.claim());
        for (let index = 3; index <= 12; index++) await events.append(task.step(`s${index}`, 'x'));
        expect((await events.read(task.taskId, 9)).map(({ data }) => data)).toEqual(
          ['s10', 's11', 's12'].map((key) => ({ key, value: 'x' })),
        );
      });
    });

    describe('a history of many bytes', () => {
      const written = async (values: readonly string[]): Promise<TaskHistory> => {
        const task = new TaskHistory();
        const requests = [task.create(), task.claim(), ...values.map((value, index) => task.step(`s${index}`, value))];
        for (const request of requests) await events.append(request);
        return task;
      };

      it('comes in pages, each as large as asked for or one event larger', async () => {
        const task = await written(Array.from({ length: 100 }, () => 'x'.repeat(1_000)));
        const read: unknown[] = [];
        for (let isLast = false, pages = 0; !isLast; pages++) {
          const page = await events.readPage(task.taskId, read.length, 10_000);
          expect(JSON.stringify(page.events).length).toBeLessThan(13_000);
          expect(pages).toBeLessThan(20);
          read.push(...page.events);
          ({ isLast } = page);
        }
        expect(read).toEqual(task.events);
      });

      it('is read alike where one event is expected, whether it is one, several or none', async () => {
        const task = new TaskHistory();
        await events.append(task.create());
        for (const request of [task.claim(), undefined]) {
          const page = await events.readPage(task.taskId, 0, 10_000);
          expect(await events.readPage(task.taskId, 0, 10_000, true)).toEqual(page);
          if (request !== undefined) await events.append(request);
        }
        expect(await events.readPage(newTaskId(), 0, 10_000, true)).toEqual({ events: [], version: 0, isLast: true, historyBytes: 0 });
      });

      it('comes in one page when it is small, together with its size', async () => {
        const task = await written(['ü'.repeat(1_000)]);
        const page = await events.readPage(task.taskId, 0, 10_000);
        expect(page).toMatchObject({ events: task.events, isLast: true });
        expect(page.historyBytes).toBeGreaterThan(2_000);
        // An encrypted text takes a third more.
        expect(page.historyBytes).toBeLessThan(4_500);
        expect(await events.readPage(newTaskId(), 0, 10_000)).toEqual({ events: [], version: 0, isLast: true, historyBytes: 0 });
      });

      it('takes no append that would make it larger than allowed, and does take one that must always fit', async () => {
        const task = await written(['x'.repeat(5_000)]);
        const large = task.fork().step('large', 'x'.repeat(5_000));
        expect(await events.append({ ...large, maxBytes: 10_000 })).toBe('too-large');
        expect(await events.read(task.taskId)).toHaveLength(3);
        expect(await events.append({ ...task.fork().step('small', 'x'), maxBytes: 10_000 })).toBe('appended');
        task.step('small', 'x');
        expect(await events.append(task.complete('x'.repeat(5_000)))).toBe('appended');
      });
    });

    describe('a task that is continued as new', () => {
      it('has a stream that begins there, with versions that count on', async () => {
        const task = new TaskHistory();
        for (const request of [task.create(), task.claim(), task.step('a', 'x'.repeat(1_000))]) await events.append(request);
        expect(await events.append(task.continueAsNew({ page: 2 }))).toBe('appended');
        const [continued] = await events.read(task.taskId);
        expect(continued).toMatchObject({ type: 'TaskContinued', data: { version: 4, task: { arguments: { page: 2 } } } });
        for (const request of [task.claim(2), task.step('a', 'again')]) expect(await events.append(request)).toBe('appended');
        expect(await events.read(task.taskId)).toEqual(task.events.slice(3));
        expect(await events.read(task.taskId, 5)).toEqual(task.events.slice(5));
        const page = await events.readPage(task.taskId, 0, 10_000);
        expect(page).toMatchObject({ version: 6, isLast: true });
        expect(page.historyBytes).toBeLessThan(1_000);
        expect(await events.views([task.taskId])).toEqual([task.projection.view]);
      });

      it('is read in pages as well', async () => {
        const task = new TaskHistory();
        for (const request of [task.create(), task.claim(), task.continueAsNew({}), task.claim(2)]) await events.append(request);
        for (let index = 0; index < 50; index++) await events.append(task.step(`s${index}`, 'x'.repeat(100)));
        const read: unknown[] = [];
        for (let version = 0, isLast = false; !isLast;) {
          const page = await events.readPage(task.taskId, version, 500);
          read.push(...page.events);
          ({ version, isLast } = page);
        }
        expect(read).toEqual(task.events.slice(2));
      });
    });
  });
}
