import { wholeMs } from '../domain/milliseconds.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TaskId } from '../domain/task-id.js';
import type { EventStore } from '../ports/event-store.js';
import type { AgendaVerdict, TakenEntries, TaskAgenda } from '../ports/task-agenda.js';
import { newTaskId, TaskHistory } from './task-history.js';
import { waitUntil } from './wait-until.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';

const LEASE_MS = 60_000;
const MANY = 1_000;

/** Declares the contract of the task agenda on every store. */
export function taskAgendaContract({ name, open }: ContractStore): void {
  describe(`the task agenda in ${name}`, () => {
    let agenda: TaskAgenda;
    let events: EventStore;
    beforeEach(opening(open, ({ store }) => ({ agenda, events } = store)));

    const takeAll = async (limit = MANY, leaseMs = LEASE_MS): Promise<readonly TakenEntries[]> => {
      const taken: TakenEntries[] = [];
      for (let shard = 0; shard < agenda.shards; shard++) taken.push(await agenda.take(shard, limit, wholeMs(leaseMs)));
      return taken;
    };
    const idsOf = (taken: readonly TakenEntries[]): TaskId[] => taken.flatMap(({ taskIds }) => taskIds).sort();
    const dueNow = async (): Promise<TaskId[]> => idsOf(await takeAll());
    const settleAll = async (taken: readonly TakenEntries[], verdict: AgendaVerdict): Promise<void> => {
      for (const part of taken) await agenda.settle(part, new Map(part.taskIds.map((taskId) => [taskId, verdict])));
    };
    const newIds = (count: number): TaskId[] => Array.from({ length: count }, newTaskId).sort();
    const dateAll = async (taskIds: readonly TaskId[], inMs: number): Promise<void> => {
      for (const taskId of taskIds) await agenda.date(taskId, wholeMs(inMs));
    };

    it('counts the tasks that have an entry', async () => {
      const [due, later] = [newIds(20), newIds(20)];
      await dateAll(due, 0);
      await dateAll(later, LEASE_MS);
      expect(await agenda.count()).toBe(40);
      for (const taskId of later) agenda.remove(taskId);
      await agenda.flush();
      expect(await agenda.count()).toBe(20);
    });

    it('finds what is due, in any shard, and counts about all of it', async () => {
      const [due, later] = [newIds(40), newIds(40)];
      await dateAll(due, 0);
      await dateAll(later, LEASE_MS);
      const taken = await takeAll();
      expect(idsOf(taken)).toEqual(due);
      const mean = taken.reduce((sum, { total }) => sum + total, 0) / taken.length;
      expect(mean).toBe(80);
    });

    it('finds the oldest of what is due first, and no more than asked for', async () => {
      const [first, ...others] = newIds(1);
      const shardOf = async (taskId: TaskId): Promise<number> => {
        await agenda.date(taskId, wholeMs(-2_000));
        const shard = (await takeAll()).find(({ taskIds }) => taskIds.includes(taskId))?.shard;
        return shard ?? -1;
      };
      const shard = await shardOf(first!);
      while (others.length < 3) {
        const taskId = newTaskId();
        if ((await shardOf(taskId)) === shard) others.push(taskId);
      }
      for (const [index, taskId] of others.entries()) await agenda.date(taskId, wholeMs(-1_000 * index));
      expect((await agenda.take(shard, 2, wholeMs(LEASE_MS))).taskIds).toEqual([others[2], others[1]]);
    });

    it('finds an entry when its time has come, by the time of the store', async () => {
      const taskId = newTaskId();
      await agenda.date(taskId, wholeMs(2_000));
      expect(await dueNow()).toEqual([]);
      await waitUntil(async () => (await dueNow()).length === 1, { description: 'the entry is due' });
    });

    it('brings an entry forward, and never puts it off', async () => {
      const ids = newIds(20);
      await dateAll(ids, LEASE_MS);
      await dateAll(ids, 0);
      await dateAll(ids, LEASE_MS);
      expect(await dueNow()).toEqual(ids);
    });

    it('gives an entry to one taker, and to another one when the lease is over', async () => {
      const ids = newIds(20);
      await dateAll(ids, 0);
      expect(idsOf(await takeAll(MANY, 2_000))).toEqual(ids);
      expect(await dueNow()).toEqual([]);
      const again = new Set<TaskId>();
      await waitUntil(
        async () => {
          for (const taskId of await dueNow()) again.add(taskId);
          return again.size === ids.length;
        },
        { description: 'the entries are due again' },
      );
    });

    it('gives taken entries their next date', async () => {
      const ids = newIds(20);
      await dateAll(ids, 0);
      const taken = await takeAll();
      await settleAll(taken, wholeMs(0));
      expect(idsOf(await takeAll(MANY, 2 * LEASE_MS))).toEqual(ids);
      await settleAll(taken, wholeMs(0));
      expect(await dueNow(), 'with the lease of an earlier taker').toEqual([]);
    });

    it('is dated with an append, and never for a later time than it is dated already', async () => {
      const task = new TaskHistory();
      await events.append({ ...task.create(), lookInMs: wholeMs(LEASE_MS) });
      expect(await dueNow()).toEqual([]);
      expect(await events.append({ ...task.claim(), lookInMs: wholeMs(0) })).toBe('appended');
      expect(await events.append({ ...task.step('a', 'b'), lookInMs: wholeMs(LEASE_MS) })).toBe('appended');
      expect(await dueNow()).toEqual([task.taskId]);
    });

    it('forgets taken entries, but none that was dated meanwhile, though later than its lease', async () => {
      const ids = newIds(20);
      await dateAll(ids, 0);
      const taken = await takeAll(MANY, 1_500);
      const [dated] = ids;
      await agenda.date(dated!, wholeMs(3_000));
      await settleAll(taken, 'remove');
      const found = new Set<TaskId>();
      await waitUntil(
        async () => {
          for (const taskId of await dueNow()) found.add(taskId);
          return found.size > 0;
        },
        { description: 'the dated entry is due' },
      );
      expect([...found]).toEqual([dated]);
      await agenda.ensure(ids, 'all');
      expect(await dueNow()).toEqual(ids);
    });

    it('keeps the lease of taken entries about which nothing was said', async () => {
      const ids = newIds(5);
      await dateAll(ids, 0);
      for (const part of await takeAll()) await agenda.settle(part, new Map());
      expect(await dueNow()).toEqual([]);
      await agenda.ensure(ids, 'missing');
      expect(await dueNow()).toEqual([]);
    });

    it('removes the entries of ended tasks', async () => {
      const ids = newIds(20);
      await dateAll(ids, 0);
      const [kept, ...ended] = ids;
      for (const taskId of ended) agenda.remove(taskId);
      await agenda.flush();
      expect(await dueNow()).toEqual([kept]);
    });

    it('has those tasks looked at now that have no entry, or all of them', async () => {
      const [known, unknown] = [newIds(20), newIds(20)];
      await dateAll(known, LEASE_MS);
      await agenda.ensure([...known, ...unknown], 'missing');
      expect(await dueNow()).toEqual(unknown);
      await agenda.ensure([...known, ...unknown], 'all');
      expect(await dueNow()).toEqual([...known, ...unknown].sort());
      await agenda.ensure([], 'all');
    });
  });
}
