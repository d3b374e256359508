import { wholeMs } from '../domain/milliseconds.js';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TaskId } from '../domain/task-id.js';
import { addressAccount } from '../write/accounts.js';
import type { KeyClaim, TaskIndex, TaskIndexPosition } from '../ports/task-index.js';
import { newTaskId } from './task-history.js';
import { waitUntil } from './wait-until.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';

const DAY_MS = 86_400_000;
const LIMITS = { concurrentTasks: 1_000, tasksPerMinute: 1_000, historyBytes: 1_000_000 };

/** Declares the contract of the task index on every store. */
export function taskIndexContract({ name, open }: ContractStore): void {
  describe(`the task index in ${name}`, () => {
    let index: TaskIndex;
    beforeAll(opening(open, ({ store }) => ({ index } = store)));

    const register = async (owner: string, taskId: TaskId, createdAt: number): Promise<void> => {
      const verdict = await index.register({ taskId, createdAt }, [{ owner, limits: LIMITS }]);
      expect(verdict).toMatchObject({ verdict: 'registered' });
    };

    const newOwner = (): string => `owner ${randomUUID()}`;

    /** Registers tasks created a millisecond apart and returns their ids, newest first. */
    async function registerMany(owner: string, count: number, createdAt = (number: number) => number): Promise<TaskId[]> {
      const ids: TaskId[] = [];
      for (let number = 1; number <= count; number++) {
        const taskId = newTaskId();
        await register(owner, taskId, createdAt(number));
        ids.unshift(taskId);
      }
      return ids;
    }

    async function walk(owner: string, limit: number, between?: (page: number) => Promise<void>): Promise<TaskId[]> {
      const found: TaskId[] = [];
      let after: TaskIndexPosition | undefined;
      for (let number = 1; ; number++) {
        const page = await index.page(owner, limit, after);
        found.push(...idsOf(page.tasks));
        if (page.next === undefined) return found;
        after = page.next;
        await between?.(number);
      }
    }

    it('keeps a key that its task has used, for the given time', async () => {
      const [owner, first, second] = [newOwner(), newTaskId(), newTaskId()];
      const claim = (taskId: TaskId, ttlMs: number) => index.claimKey(owner, 'key', { taskId, fingerprint: 'a' }, wholeMs(ttlMs));
      await claim(first, 10_000);
      await index.keepKey(owner, 'key', second, wholeMs(1));
      expect(await claim(second, 1), 'another task does not hold it').toEqual({ taskId: first, fingerprint: 'a', isUsed: false });
      await index.keepKey(owner, 'key', first, wholeMs(DAY_MS));
      const startedAt = performance.now();
      await index.keepKey(owner, 'key', first, wholeMs(2_000));
      expect(await claim(second, 1)).toEqual({ taskId: first, fingerprint: 'a', isUsed: true });
      await waitUntil(async () => (await claim(second, DAY_MS)).taskId === second, { description: 'the key is free again' });
      expect(performance.now() - startedAt).toBeGreaterThan(1_990);
      await index.keepKey(owner, 'unknown', first, wholeMs(1));
    });

    it('has an empty page for an owner without tasks', async () => {
      expect(await index.page(newOwner(), 10)).toEqual({ tasks: [] });
    });

    it('lists the newest task first, with when it was created', async () => {
      const owner = newOwner();
      const [older, newer] = [newTaskId(), newTaskId()];
      await register(owner, newer, 2000);
      await register(owner, older, 1000);
      expect(await index.page(owner, 10)).toEqual({
        tasks: [
          { taskId: newer, createdAt: 2000 },
          { taskId: older, createdAt: 1000 },
        ],
      });
    });

    it('keeps owners apart', async () => {
      const [mine, theirs] = [newOwner(), newOwner()];
      const [taskId] = await registerMany(mine, 1);
      await registerMany(theirs, 1);
      expect(idsOf((await index.page(mine, 10)).tasks)).toEqual([taskId]);
    });

    it('says where the next page starts, and that the last one is the last', async () => {
      const owner = newOwner();
      const ids = await registerMany(owner, 4);
      const first = await index.page(owner, 2);
      expect(first.next).toEqual({ taskId: ids[1], createdAt: 3 });
      const second = await index.page(owner, 2, first.next);
      expect(idsOf(second.tasks)).toEqual(ids.slice(2));
      expect(second.next).toBeUndefined();
    });

    it('lists every task once when many were created in the same millisecond', async () => {
      const owner = newOwner();
      const ids = await registerMany(owner, 25, () => 5000);
      expect(await walk(owner, 4)).toEqual([...ids].sort().toReversed());
    });

    it('lists every remaining task once while others are added and removed', async () => {
      const owner = newOwner();
      const ids = await registerMany(owner, 12, (number) => Math.ceil(number / 3));
      const before = await walk(owner, 100);
      expect([...before].sort()).toEqual([...ids].sort());
      const found = await walk(owner, 4, async (page) => {
        await register(owner, newTaskId(), 1000 + page);
        // Also the very task that the next page starts after.
        await index.forget(owner, before.slice(page * 4 - 2, page * 4));
      });
      expect(found).toEqual(before);
    });

    it('does not show the place of a removed task as a task', async () => {
      const owner = newOwner();
      const ids = await registerMany(owner, 3);
      await index.forget(owner, ids.slice(0, 1));
      await index.page(owner, 1, { taskId: ids[0]!, createdAt: 3 });
      expect(await walk(owner, 10)).toEqual(ids.slice(1));
    });

    it('forgets tasks by name', async () => {
      const owner = newOwner();
      const ids = await registerMany(owner, 3);
      await index.forget(owner, [ids[0]!, ids[2]!, newTaskId()]);
      await index.forget(owner, []);
      expect(await walk(owner, 10)).toEqual([ids[1]]);
    });

    it('drops expired tasks when others are registered, and keeps retired ones until then', async () => {
      const owner = newOwner();
      const [expired, retired] = [newTaskId(), newTaskId()];
      await register(owner, expired, 1);
      await register(owner, retired, 2);
      await index.retire([owner], expired, wholeMs(-1));
      await index.retire([owner], retired, wholeMs(DAY_MS));
      const fresh = Array.from({ length: 8 }, () => newTaskId());
      for (const [at, taskId] of fresh.entries()) await register(owner, taskId, 3 + at);
      expect(await walk(owner, 20)).toEqual([...fresh.toReversed(), retired]);
    });

    it('counts unfinished tasks against the limit, and no ended ones', async () => {
      const owner = newOwner();
      const few = { concurrentTasks: 2, tasksPerMinute: 100, historyBytes: 1_000 };
      const add = (taskId: TaskId) => index.register({ taskId, createdAt: 1 }, [{ owner, limits: few }]);
      const [first, second, third, fourth] = [newTaskId(), newTaskId(), newTaskId(), newTaskId()];
      expect(await add(first)).toMatchObject({ verdict: 'registered' });
      expect(await add(second)).toMatchObject({ verdict: 'registered' });
      expect(await add(third)).toMatchObject({ verdict: 'too-many-tasks' });
      expect(new Set((await index.unretired(owner, 10)).map(({ taskId }) => taskId))).toEqual(new Set([first, second]));
      await index.retire([owner], second, wholeMs(DAY_MS));
      expect(await add(third)).toMatchObject({ verdict: 'registered' });
      await index.retire([owner], first, wholeMs(DAY_MS));
      expect(await add(fourth)).toMatchObject({ verdict: 'registered' });
    });

    it('says what an owner has of its limits, and frees what has ended', async () => {
      const owner = newOwner();
      const add = (taskId: TaskId, bytes: number) => index.register({ taskId, createdAt: 1, bytes }, [{ owner, limits: LIMITS }]);
      expect(await index.use(owner)).toEqual({ unfinishedTasks: 0, tasksInMinute: 0, historyBytes: 0 });
      const [kept, empty, gone] = [newTaskId(), newTaskId(), newTaskId()];
      await add(kept, 600);
      await add(empty, 0);
      await add(gone, 50);
      expect(await index.use(owner)).toEqual({ unfinishedTasks: 3, tasksInMinute: 3, historyBytes: 650 });
      await index.retire([owner], empty, wholeMs(DAY_MS));
      await index.retire([owner], kept, wholeMs(DAY_MS));
      await index.retire([owner], gone, wholeMs(0));
      await waitUntil(async () => (await index.use(owner)).historyBytes === 600, { description: 'what has expired is free' });
      expect(await index.use(owner)).toEqual({ unfinishedTasks: 0, tasksInMinute: 3, historyBytes: 600 });
    });

    it('counts the bytes of a task for as long as operators have it, and nothing else of it', async () => {
      const [owner, taskId, next] = [newOwner(), newTaskId(), newTaskId()];
      const few = { concurrentTasks: 1, tasksPerMinute: 100, historyBytes: 1_000 };
      const add = (added: TaskId, bytes: number) => index.register({ taskId: added, createdAt: 1, bytes }, [{ owner, limits: few }]);
      await add(taskId, 800);
      // As when the sweep repeats it.
      for (let n = 0; n < 2; n++) await index.retire([owner], taskId, wholeMs(0), wholeMs(1_500));
      expect(await index.use(owner)).toMatchObject({ unfinishedTasks: 0, historyBytes: 800 });
      expect(await add(next, 400)).toMatchObject({ verdict: 'too-many-bytes' });
      expect(idsOf((await index.page(owner, 10)).tasks).filter((listed) => listed !== taskId)).toEqual([]);
      expect(await index.unretired(owner, 10)).toEqual([]);
      await index.forget(owner, [taskId]);
      expect(await index.countBytes(owner, taskId, 850, few.historyBytes), 'with its end').toBe(850);
      await waitUntil(async () => (await add(next, 400)).verdict === 'registered', { description: 'operators no longer have it' });
      expect(await index.use(owner)).toMatchObject({ unfinishedTasks: 1, historyBytes: 400 });
    });

    it('refuses no task that it counts already, as when the reply to its registration was lost', async () => {
      const [owner, first] = [newOwner(), newTaskId()];
      const few = { concurrentTasks: 1, tasksPerMinute: 1, historyBytes: 600 };
      const add = (taskId: TaskId, bytes: number) => index.register({ taskId, createdAt: 1, bytes }, [{ owner, limits: few }]);
      expect(await add(first, 600)).toMatchObject({ verdict: 'registered' });
      expect(await add(first, 600)).toMatchObject({ verdict: 'registered' });
      expect(idsOf((await index.page(owner, 10)).tasks)).toEqual([first]);
      expect((await add(newTaskId(), 0)).verdict).not.toBe('registered');
    });

    it('lets no other task in for one that is retired twice', async () => {
      const [owner, address] = [newOwner(), addressAccount(newOwner())];
      const few = { ...LIMITS, concurrentTasks: 2 };
      const accounts = [owner, address].map((each) => ({ owner: each, limits: few }));
      const add = (taskId: TaskId) => index.register({ taskId, createdAt: 1 }, accounts);
      const ended = newTaskId();
      await add(ended);
      for (let times = 0; times < 2; times++) await index.retire([owner, address], ended, wholeMs(DAY_MS));
      expect([await add(newTaskId()), await add(newTaskId())]).toMatchObject([{ verdict: 'registered' }, { verdict: 'registered' }]);
      expect(await add(newTaskId())).toMatchObject({ verdict: 'too-many-tasks' });
    });

    it('counts a task under all of its accounts, or under none', async () => {
      const [narrow, wide] = [newOwner(), newOwner()];
      const few = { ...LIMITS, concurrentTasks: 1 };
      const accounts = [
        { owner: wide, limits: LIMITS },
        { owner: narrow, limits: few },
      ];
      const [first, second, third] = [newTaskId(), newTaskId(), newTaskId()];
      const add = (taskId: TaskId) => index.register({ taskId, createdAt: 1 }, accounts);
      expect(await add(first)).toMatchObject({ verdict: 'registered' });
      expect(await add(second)).toMatchObject({ verdict: 'too-many-tasks', account: accounts[1] });
      expect([await walk(wide, 10), await walk(narrow, 10)]).toEqual([[first], [first]]);
      await index.retire([wide, narrow], first, wholeMs(DAY_MS));
      expect([await index.unretired(wide, 10), await index.unretired(narrow, 10)]).toEqual([[], []]);
      expect(await add(third)).toMatchObject({ verdict: 'registered' });
    });

    describe('counting bytes', () => {
      const few = { concurrentTasks: 100, tasksPerMinute: 100, historyBytes: 1_000 };
      const add = (owner: string, taskId: TaskId, bytes = 0) => index.register({ taskId, createdAt: 1, bytes }, [{ owner, limits: few }]);
      const count = (owner: string, taskId: TaskId, bytes: number) => index.countBytes(owner, taskId, bytes, few.historyBytes);

      it('refuses tasks as long as the histories take too much', async () => {
        const [owner, first, second] = [newOwner(), newTaskId(), newTaskId()];
        await add(owner, first, 600);
        expect(await add(owner, second, 600)).toMatchObject({ verdict: 'too-many-bytes' });
        expect(await count(owner, first, 300)).toBe(300);
        expect(await add(owner, second, 600)).toMatchObject({ verdict: 'registered' });
        expect(await count(owner, first, 500), 'what runs may take it over the limit').toBe(1_100);
        expect(await add(owner, newTaskId())).toMatchObject({ verdict: 'too-many-bytes' });
        expect(await add(newOwner(), newTaskId(), 1_000), 'for others it is another limit').toMatchObject({ verdict: 'registered' });
      });

      it('drops what has expired before it refuses, however many that are', async () => {
        const owner = newOwner();
        const expired = Array.from({ length: 30 }, () => newTaskId());
        for (const taskId of expired) await add(owner, taskId, 30);
        for (const taskId of expired) await index.retire([owner], taskId, wholeMs(-1));
        const taskId = newTaskId();
        expect(await add(owner, taskId, 1_000)).toMatchObject({ verdict: 'registered' });
        expect(await count(owner, taskId, 10)).toBe(10);
      });

      it('drops what has expired when what runs is too much', async () => {
        const [owner, expired, running] = [newOwner(), newTaskId(), newTaskId()];
        await add(owner, expired, 600);
        await add(owner, running);
        await index.retire([owner], expired, wholeMs(-1));
        expect(await count(owner, running, 700)).toBe(700);
      });

      it('keeps nothing of tasks that are forgotten, and of tasks that it does not know', async () => {
        const [owner, forgotten, other] = [newOwner(), newTaskId(), newTaskId()];
        await add(owner, forgotten, 300);
        await add(owner, other, 1);
        await index.forget(owner, [forgotten]);
        expect(await count(owner, newTaskId(), 300)).toBe(1);
      });

      it('goes on counting what has ended and is kept', async () => {
        const [owner, ended] = [newOwner(), newTaskId()];
        await add(owner, ended, 600);
        await index.retire([owner], ended, wholeMs(DAY_MS));
        expect(await add(owner, newTaskId(), 600)).toMatchObject({ verdict: 'too-many-bytes' });
      });

      it('goes on counting what an address has, until it expires, and lists nothing of it', async () => {
        const [address, small, large, expired] = [addressAccount(newOwner()), newTaskId(), newTaskId(), newTaskId()];
        for (const [taskId, bytes] of [[small, 0] as const, [large, 300] as const, [expired, 300] as const]) {
          expect(await add(address, taskId, bytes)).toMatchObject({ verdict: 'registered' });
        }
        expect(idsOf(await index.unretired(address, 10)).toSorted()).toEqual([small, large, expired].toSorted());
        expect(await walk(address, 10)).toEqual([]);
        for (const [taskId, keptMs] of [[small, DAY_MS] as const, [large, DAY_MS] as const, [expired, -1] as const])
          await index.retire([address], taskId, wholeMs(keptMs));
        expect(await index.unretired(address, 10)).toEqual([]);
        expect(await add(address, newTaskId(), 701)).toMatchObject({ verdict: 'too-many-bytes' });
        expect(await add(address, newTaskId(), 700)).toMatchObject({ verdict: 'registered' });
      });
    });

    it('says when the next task may be created after too many in a minute', async () => {
      const owner = newOwner();
      const slow = { concurrentTasks: 100, tasksPerMinute: 2, historyBytes: 1_000 };
      const add = () => index.register({ taskId: newTaskId(), createdAt: 1 }, [{ owner, limits: slow }]);
      await add();
      await add();
      const verdict = await add();
      expect(verdict.verdict === 'too-many-per-minute' && verdict.retryAfterMs).toBeGreaterThan(0);
      expect((await index.page(owner, 10)).tasks).toHaveLength(2);
    });

    it('lets the first claim of an idempotency key hold, per owner', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      const first = { taskId: newTaskId(), fingerprint: 'one', isUsed: false };
      const second = { taskId: newTaskId(), fingerprint: 'two', isUsed: false };
      expect(await index.claimKey(owner, 'key', first, wholeMs(DAY_MS))).toEqual(first);
      expect(await index.claimKey(owner, 'key', second, wholeMs(DAY_MS))).toEqual(first);
      expect(await index.claimKey(owner, 'another key', second, wholeMs(DAY_MS))).toEqual(second);
      expect(await index.claimKey(other, 'key', second, wholeMs(DAY_MS))).toEqual(second);
    });

    it('lets a later claim replace an earlier one where that is asked for', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      const [first, second] = [newTaskId(), newTaskId()].map((taskId) => ({ taskId, fingerprint: 'f' })) as [KeyClaim, KeyClaim];
      expect(await index.claimOf(owner, 'key')).toBeUndefined();
      for (const claim of [first, second]) await index.replaceKey(owner, 'key', claim, wholeMs(DAY_MS));
      expect(await index.claimOf(owner, 'key')).toEqual({ ...second, isUsed: false });
      expect(await index.claimOf(other, 'key')).toBeUndefined();
      await index.replaceKey(owner, 'key', second, wholeMs(1));
      await waitUntil(async () => (await index.claimOf(owner, 'key')) === undefined, { description: 'the claim is over' });
    });
  });
}

function idsOf(tasks: readonly TaskIndexPosition[]): TaskId[] {
  return tasks.map(({ taskId }) => taskId);
}
