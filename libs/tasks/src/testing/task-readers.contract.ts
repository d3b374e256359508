import { beforeAll, describe, expect, it } from 'vitest';
import type { TaskCreatedData } from '../domain/events.js';
import type { TaskId } from '../domain/task-id.js';
import type { EventStore } from '../ports/event-store.js';
import { newTaskId, TaskHistory } from './task-history.js';
import { waitUntil } from './wait-until.js';
import type { ContractStore, OpenedStore } from './contract-store.js';
import { opening } from './opening.js';

const HOUR_MS = 3_600_000;

/** Declares the contract of the event store for readers of views, outcomes and changes, on every store. */
export function taskReadersContract({ name, open }: ContractStore): void {
  describe(`readers of tasks in ${name}`, () => {
    let opened: OpenedStore;
    let events: EventStore;
    beforeAll(
      opening(open, (openedStore) => {
        opened = openedStore;
        ({ events } = opened.store);
      }),
    );

    describe('views', () => {
      it('gives the views in the order of the ids, with a gap for a missing task', async () => {
        const [first, second] = [new TaskHistory(), new TaskHistory()];
        await events.append(first.create({ progressToken: 7 }));
        await events.append(second.create({ sessionId: 'session', implicit: true }));
        await events.append(second.claim());
        expect(await events.views([second.taskId, newTaskId(), first.taskId])).toEqual([
          second.projection.view,
          undefined,
          first.projection.view,
        ]);
      });

      it('gives no views for no ids', async () => {
        expect(await events.views([])).toEqual([]);
      });
    });

    describe('readOutcome', () => {
      it('gives the view alone while the task runs', async () => {
        const task = new TaskHistory();
        await events.append(task.create());
        expect(await events.readOutcome(task.taskId)).toEqual({ view: task.projection.view });
      });

      it.each([
        ['small', 10],
        ['of 1 MiB', 2 ** 20],
        ['of 1 MiB of characters that take more than a byte', 2 ** 20, 'é'],
      ])('gives a result that is %s whole', async (_, length, character = 'x') => {
        const task = new TaskHistory();
        for (const request of [task.create(), task.claim(), task.complete(character.repeat(length))]) await events.append(request);
        expect(await events.readOutcome(task.taskId)).toEqual(task.projection);
      });

      it('gives nothing for a task that does not exist', async () => {
        expect(await events.readOutcome(newTaskId())).toBeUndefined();
      });
    });

    describe('expiry', () => {
      const MINUTE_MS = 60_000;
      /** A task that was created and ended just now, by processes with clocks that are wrong by this much. */
      const ended = async (creatorAheadMs: number, enderAheadMs: number, data: Partial<TaskCreatedData>): Promise<TaskId> => {
        const task = new TaskHistory(newTaskId(), Date.now() + creatorAheadMs);
        await events.append(task.create(data));
        await events.append(task.append([{ type: 'CancelTask', at: Date.now() + enderAheadMs, by: 'alice' }]));
        return task.taskId;
      };

      it('keeps a task that has not ended, however old it is', async () => {
        const task = new TaskHistory(newTaskId(), Date.now() - 2 * HOUR_MS);
        await events.append(task.create({ ttlMs: 1 }));
        await events.append(task.claim());
        expect(await opened.isKeptFor(task.taskId, 100 * HOUR_MS)).toBe(true);
      });

      it.each([
        [0, 0],
        [-MINUTE_MS, MINUTE_MS],
        [MINUTE_MS, -MINUTE_MS],
        [-HOUR_MS, 0],
        [0, HOUR_MS],
      ])('keeps an ended task for its ttl, with clocks wrong by %i and %i ms', async (creatorAheadMs, enderAheadMs) => {
        const taskId = await ended(creatorAheadMs, enderAheadMs, { ttlMs: 10 * MINUTE_MS });
        expect(await opened.isKeptFor(taskId, 10 * MINUTE_MS - 5_000)).toBe(true);
        expect(await opened.isKeptFor(taskId, 10 * MINUTE_MS + 1_000)).toBe(false);
      });

      it.each([
        ['for longer than its client', 10 * MINUTE_MS, HOUR_MS, HOUR_MS],
        ['for as long as its client, when that is longer', 10 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS],
        ['a minute at least', 1, 1, MINUTE_MS],
      ])('keeps an ended task for operators %s', async (_, ttlMs, keptMs, expectedMs) => {
        const task = new TaskHistory();
        await events.append(task.create({ ttlMs }));
        const end = task.cancel();
        const { view, ...outcome } = end.projection;
        await events.append({ ...end, projection: { view: { ...view, keptMs }, ...outcome } });
        const ownMs = Math.max(ttlMs, MINUTE_MS);
        expect(await opened.isKeptFor(task.taskId, ownMs - 5_000)).toBe(true);
        expect(await opened.isKeptFor(task.taskId, ownMs + 1_000)).toBe(false);
        expect(await opened.isKeptFor(task.taskId, expectedMs - 5_000, 'operator')).toBe(true);
        expect(await opened.isKeptFor(task.taskId, expectedMs + 1_000, 'operator')).toBe(false);
        for (const reader of ['client', 'operator'] as const) {
          expect(await events.views([newTaskId(), task.taskId], reader)).toEqual([undefined, { ...view, keptMs }]);
          expect(await events.readOutcome(task.taskId, reader)).toEqual({ view: { ...view, keptMs }, ...outcome });
        }
      });

      it('forgets an ended task when its time is over', async () => {
        const taskId = await ended(0, 0, { ttlMs: 2 * MINUTE_MS });
        expect(await opened.isKeptFor(taskId, 2 * MINUTE_MS)).toBe(false);
      });

      it.each([
        ['whose ttl is shorter', { ttlMs: 1, implicit: false }],
        ['behind a short plain call, with any ttl', { ttlMs: HOUR_MS, implicit: true }],
      ])('keeps a task for a minute after its end %s', async (_, data) => {
        for (const skewMs of [-MINUTE_MS, 0, MINUTE_MS]) {
          const taskId = await ended(data.implicit ? skewMs : -skewMs, skewMs, data);
          expect(await opened.isKeptFor(taskId, MINUTE_MS - 5_000)).toBe(true);
          expect(await opened.isKeptFor(taskId, MINUTE_MS + 1_000)).toBe(false);
        }
      });
    });

    describe('subscribe', () => {
      it('misses no append after it has resolved', async () => {
        for (let round = 0; round < 50; round++) {
          const task = new TaskHistory();
          await events.append(task.create());
          let woken = false;
          const unsubscribe = await events.subscribe(task.taskId, () => {
            woken = true;
          });
          await events.append(task.claim());
          await waitUntil(() => woken, { description: `the append of round ${round} is heard of` });
          unsubscribe();
        }
      });

      it('wakes every listener of a task, and those of other tasks not', async () => {
        const [task, other] = [new TaskHistory(), new TaskHistory()];
        const woken: string[] = [];
        const endings = await Promise.all([
          events.subscribe(task.taskId, () => woken.push('first')),
          events.subscribe(task.taskId, () => woken.push('second')),
          events.subscribe(other.taskId, () => woken.push('other')),
        ]);
        await events.append(task.create());
        await waitUntil(() => woken.length === 2, { description: 'both listeners are called' });
        expect(woken.sort()).toEqual(['first', 'second']);
        for (const end of endings) end();
      });

      it('does not call a listener that was unsubscribed, and goes on to call the others', async () => {
        const task = new TaskHistory();
        const woken = { left: 0, stayed: 0 };
        const leave = await events.subscribe(task.taskId, () => (woken.left += 1));
        const end = await events.subscribe(task.taskId, () => (woken.stayed += 1));
        leave();
        leave();
        await events.append(task.create());
        await waitUntil(() => woken.stayed === 1, { description: 'the other listener is called' });
        expect(woken.left).toBe(0);
        end();
      });

      it('hears again after everybody had left', async () => {
        const task = new TaskHistory();
        (await events.subscribe(task.taskId, () => undefined))();
        let woken = false;
        const end = await events.subscribe(task.taskId, () => (woken = true));
        await events.append(task.create());
        await waitUntil(() => woken, { description: 'the new listener is called' });
        end();
      });

      it('is not woken by an append that was refused', async () => {
        const task = new TaskHistory();
        let woken = 0;
        const end = await events.subscribe(task.taskId, () => (woken += 1));
        await events.append(task.create());
        await waitUntil(() => woken === 1, { description: 'the first append is heard of' });
        await events.append(new TaskHistory(task.taskId).create());
        await events.append(task.claim());
        await waitUntil(() => woken > 1, { description: 'the third append is heard of' });
        expect(woken).toBe(2);
        end();
      });
    });

    describe('onInterrupted', () => {
      it('reports a task that was ended from outside, and none that its own pass ended', async () => {
        const [own, cancelled] = [new TaskHistory(), new TaskHistory()];
        const interrupted: string[] = [];
        const end = await events.onInterrupted((taskId) => interrupted.push(taskId));
        for (const request of [own.create(), own.claim(), own.complete()]) await events.append(request);
        for (const request of [cancelled.create(), cancelled.claim(), cancelled.cancel()]) await events.append(request);
        await waitUntil(() => interrupted.length > 0, { description: 'the cancelled task is reported' });
        expect(interrupted).toEqual([cancelled.taskId]);
        end();
      });
    });
  });
}
