import { beforeEach, describe, expect, it } from 'vitest';
import { rowOf, type TaskRow } from '../domain/projections/task-row.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskStore } from '../ports/task-store.js';
import type { AppendRequest, TaskChange } from '../ports/event-store.js';
import { HOUR_MS, MAX_CANDIDATES, type OperatorIndex, type TaskFilter } from '../ports/operator-index.js';
import type { TaskIndexPosition } from '../ports/task-index.js';
import type { ContractStore, OpenedStore } from './contract-store.js';
import { opening } from './opening.js';
import { newTaskId, TaskHistory } from './task-history.js';
import { waitUntil } from './wait-until.js';

const NOW = Date.now();
const DAY_MS = 86_400_000;

/** A row of a task that was created so many milliseconds ago. */
const rowAgo = (ms: number, members: Partial<TaskRow> = {}): TaskRow => ({
  taskId: newTaskId(),
  viewVersion: 1,
  createdAt: NOW - ms,
  status: 'working',
  tool: 'research',
  owner: 'alice',
  ...members,
});

const failed = (reason: string, members: Partial<TaskRow> = {}): TaskRow => {
  return rowAgo(10, {
    status: 'failed',
    reason,
    cause: `of ${reason} ${members.tool ?? ''}`,
    endedAt: NOW,
    goneAt: NOW + DAY_MS,
    ...members,
  });
};

/** Behaviour of `OperatorIndex` that every store has. */
export function operatorIndexContract({ name, open }: ContractStore): void {
  describe(`OperatorIndex on ${name}`, () => {
    let opened: OpenedStore;
    let store: TaskStore;
    let index: OperatorIndex;
    const use = (it: OpenedStore): void => {
      opened = it;
      ({ store } = it);
      index = store.operators;
    };
    beforeEach(opening(open, use));

    /** All rows of a filter, in pages, and how many pages there were. */
    const walk = async (filter: TaskFilter, limit: number) => {
      const rows: TaskRow[] = [];
      let pages = 0;
      for (let after: TaskIndexPosition | undefined; pages === 0 || after !== undefined; pages++) {
        const page = await index.page(filter, limit, after);
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        rows.push(...page.rows);
        after = page.next;
      }
      return { rows, pages };
    };

    it('finds the tasks of a status that were created first', async () => {
      const rows = [30, 10, 40, 20].map((ms) => rowAgo(ms, { status: 'input_required' }));
      await index.put([...rows, rowAgo(50)]);
      const ids = rows.toSorted((left, right) => left.createdAt - right.createdAt).map(({ taskId }) => taskId);
      expect(await index.oldest('input_required', 3)).toEqual(ids.slice(0, 3));
      expect(await index.oldest('failed', 3)).toEqual([]);
    });

    describe('changes of all tasks', () => {
      it('come with each append: of what the task has become, and whether it is new; and no more once nobody listens', async () => {
        const changes: (TaskChange | undefined)[] = [];
        const stop = await store.events.onChange((change) => changes.push(change));
        const task = new TaskHistory();
        const append = async (request: AppendRequest, changesRow: boolean): Promise<void> => {
          const row = changesRow ? { row: rowOf(request.projection.view) } : {};
          expect(await store.events.append({ ...request, ...row })).toBe('appended');
        };
        await append(task.create(), true);
        await append(task.claim(), false);
        await append(task.complete(), true);
        const { taskId } = task;
        const expected = [
          { taskId, status: 'working', isNew: true },
          { taskId, isNew: false },
          { taskId, status: 'completed', isNew: false },
        ];
        await waitUntil(() => changes.length >= expected.length, { description: 'every change has come' });
        expect(changes).toEqual(expected);
        stop();
        await append(new TaskHistory().create(), true);
        const other = new TaskHistory();
        let isHeard = false;
        await store.events.subscribe(other.taskId, () => (isHeard = true));
        await append(other.create(), true);
        await waitUntil(() => isHeard, { description: 'a later message has come' });
        expect(changes).toHaveLength(expected.length);
      });
    });

    describe('a page', () => {
      it('is empty without tasks', async () => expect(await index.page({}, 10)).toEqual({ rows: [] }));

      it('has rows as they were written, newest first', async () => {
        const ended = failed('WORKER_LOST', { version: '1.2.0', owner: 'https://issuer.example/ bob|"ü"' });
        const rows = [rowAgo(300), rowAgo(200, { status: 'input_required', tool: 'a:{b}' }), rowAgo(100), ended];
        await index.put(rows.toReversed());
        expect(await index.page({}, 10)).toEqual({ rows: rows.toReversed() });
      });

      it('goes on where the one before ended, also among tasks of the same millisecond', async () => {
        const rows = [...Array.from({ length: 20 }, () => rowAgo(500)), ...Array.from({ length: 30 }, (_, at) => rowAgo(at))];
        await index.put(rows);
        const found = await walk({}, 7);
        expect(found.rows).toHaveLength(50);
        expect(new Set(found.rows.map(({ taskId }) => taskId))).toEqual(new Set(rows.map(({ taskId }) => taskId)));
        expect(found.rows.map(({ createdAt }) => createdAt)).toEqual(
          found.rows.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
        );
      });

      it('goes on after a task that is gone meanwhile', async () => {
        const rows = Array.from({ length: 6 }, (_, at) => rowAgo(at));
        await index.put(rows);
        const first = await index.page({}, 3);
        await index.drop(rows.slice(2, 3).map(({ taskId }) => taskId));
        expect((await index.page({}, 3, first.next)).rows).toEqual(rows.slice(3));
      });

      it.each<[string, TaskFilter, number[]]>([
        ['a status', { status: ['failed'] }, [2, 3]],
        ['one of several statuses', { status: ['working', 'failed'] }, [0, 2, 3]],
        ['no status', { status: [] }, []],
        ['a tool', { tool: 'mail' }, [1, 3]],
        ['an owner', { owner: 'bob' }, [2, 4]],
        ['a reason', { reason: 'TOOL_ERROR' }, [3]],
        ['a cause', { cause: 'of TOOL_ERROR mail' }, [3]],
        ['a version', { version: '2' }, [2]],
        ['what nothing has', { tool: 'mai' }, []],
        ['all of it', { status: ['failed', 'completed'], tool: 'mail', owner: 'alice', reason: 'TOOL_ERROR', version: '1' }, [3]],
        ['all of it but one', { status: ['failed', 'completed'], tool: 'mail', owner: 'alice', reason: 'TOOL_ERROR', version: '2' }, []],
        ['a time', { createdFrom: NOW - 300, createdBefore: NOW - 100 }, [1, 2]],
        ['a time and an owner', { createdFrom: NOW - 300, owner: 'bob' }, [2]],
        ['a time and a status', { createdBefore: NOW, status: ['failed'] }, [2, 3]],
      ])('has what fits %s', async (_, filter, expected) => {
        const rows = [
          rowAgo(0),
          rowAgo(200, { tool: 'mail', status: 'input_required' }),
          failed('WORKER_LOST', { createdAt: NOW - 300, owner: 'bob', version: '2' }),
          failed('TOOL_ERROR', { createdAt: NOW - 301, tool: 'mail', version: '1' }),
          rowAgo(400, { owner: 'bob', status: 'completed', endedAt: NOW, goneAt: NOW + DAY_MS }),
        ];
        await index.put(rows);
        const wanted = rows.filter((__, at) => expected.includes(at));
        expect((await index.page(filter, 10)).rows).toEqual(wanted);
        expect((await walk(filter, 1)).rows).toEqual(wanted);
      });

      it('has what has one key of each searched argument, until the task is dropped or gone', async () => {
        const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(22)) as [string, string, string];
        const [first, second, third] = [
          rowAgo(0, { searchKeys: [a, b] }),
          rowAgo(100, { searchKeys: [a], owner: 'bob' }),
          rowAgo(200, { searchKeys: [c, b] }),
        ];
        await index.put([first, second, third, rowAgo(50)]);
        const found = async (searchKeys: readonly (readonly string[])[], more: TaskFilter = {}) => {
          const { rows } = await index.page({ ...more, searchKeys }, 10);
          expect((await walk({ ...more, searchKeys }, 1)).rows).toEqual(rows);
          return rows;
        };
        expect(await found([[a]])).toEqual([first, second]);
        expect(await found([[a], [b]])).toEqual([first]);
        expect(await found([[a, c]])).toEqual([first, second, third]);
        expect(await found([[a, c], [b]])).toEqual([first, third]);
        expect(await found([[a]], { owner: 'bob' })).toEqual([second]);
        expect(await found([[a]], { createdBefore: NOW - 50 })).toEqual([second]);
        expect(await found([['d'.repeat(22)]])).toEqual([]);
        const ended: TaskRow = { ...first, viewVersion: 2, status: 'completed', endedAt: NOW, goneAt: Date.now() + 300 };
        await index.put([ended, { ...second, searchKeys: [c] }]);
        expect(await found([[c]])).toEqual([{ ...second, searchKeys: [c] }, third]);
        await index.drop([third.taskId]);
        const isGone = async (): Promise<boolean> => (await index.page({ searchKeys: [[a]] }, 10)).rows.length === 0;
        await waitUntil(isGone, { description: 'the row of the ended task is gone' });
        expect(await found([[c]])).toEqual([{ ...second, searchKeys: [c] }]);
      });

      it('looks at a bounded number of tasks, and says where to go on when it has found none', async () => {
        const rare = rowAgo(DAY_MS, { tool: 'rare-for-bob', owner: 'bob' });
        const others = Array.from({ length: 1.2 * MAX_CANDIDATES }, (_, at) => [
          rowAgo(at, { tool: 'rare-for-bob' }),
          rowAgo(at, { tool: 'usual', owner: 'bob' }),
        ]).flat();
        for (let at = 0; at < others.length; at += 1_000) await index.put(others.slice(at, at + 1_000));
        await index.put([rare]);
        const { rows, next } = await index.page({ tool: 'rare-for-bob', owner: 'bob' }, 10);
        expect(rows).toEqual([]);
        expect(next?.createdAt).toBeGreaterThan(NOW - DAY_MS);
        const all = await walk({ tool: 'rare-for-bob', owner: 'bob' }, 10);
        expect(all.rows).toEqual([rare]);
        expect(all.pages).toBeLessThan(5);
      });
    });

    describe('a row', () => {
      it('is written with the appends that change it', async () => {
        const searchKeys = ['a'.repeat(22)];
        const task = new TaskHistory();
        const append = async (request: ReturnType<TaskHistory['create']>) => {
          expect(await store.events.append({ ...request, row: rowOf(request.projection.view) })).toBe('appended');
        };
        const shown = async () => (await index.page({}, 10)).rows;
        await append(task.create({ searchKeys }));
        await waitUntil(async () => (await shown()).length === 1, { description: 'the row of a new task' });
        expect(await shown()).toEqual([rowOf(task.projection.view)]);
        await append(task.cancel());
        await waitUntil(async () => (await index.page({ status: ['cancelled'] }, 10)).rows.length === 1, {
          description: 'the row of an ended task',
        });
        expect(await shown()).toMatchObject([{ taskId: task.taskId, viewVersion: 2, status: 'cancelled', endedAt: task.startedAt }]);
        expect((await index.page({ status: ['working'] }, 10)).rows).toEqual([]);
        expect((await index.page({ searchKeys: [searchKeys] }, 10)).rows).toEqual(await shown());
      });

      it('is not written with an append that is refused', async () => {
        const task = new TaskHistory();
        await store.events.append(task.create());
        const late = task.fork();
        await store.events.append(task.claim());
        const request = late.cancel();
        expect(await store.events.append({ ...request, row: rowOf(request.projection.view) })).toBe('conflict');
        expect(await index.missing([task.taskId])).toEqual([task.taskId]);
      });

      it('takes the place of an earlier one, and never of a later one', async () => {
        const row = rowAgo(0, { viewVersion: 3 });
        await index.put([row]);
        const later = failed('MAX_RUN', { taskId: row.taskId, createdAt: row.createdAt, viewVersion: 4, version: '1' });
        await index.put([later]);
        await index.put([row]);
        expect(await index.page({}, 10)).toEqual({ rows: [later] });
        expect((await index.page({ status: ['working'] }, 10)).rows).toEqual([]);
        const corrected = { ...later, owner: 'somebody else', tool: 'another', reason: 'MAX_WAIT', version: '2' };
        await index.put([corrected]);
        expect((await index.page({ reason: 'MAX_RUN' }, 10)).rows).toEqual([]);
        expect((await index.page({ version: '1' }, 10)).rows).toEqual([]);
        expect((await index.page({ owner: 'somebody else', tool: 'another', reason: 'MAX_WAIT' }, 10)).rows).toEqual([corrected]);
      });

      it('may be written again', async () => {
        const row = failed('TOOL_ERROR');
        for (let times = 0; times < 3; times++) await index.put([row]);
        expect(await index.page({}, 10)).toEqual({ rows: [row] });
        expect(await index.counts()).toMatchObject({ failures: [{ count: 1 }] });
      });

      it('is missing when it was never written or was dropped', async () => {
        const [kept, dropped] = [rowAgo(1), rowAgo(2)];
        const never = newTaskId();
        await index.put([kept, dropped]);
        await index.drop([dropped.taskId, never]);
        expect(await index.missing([kept.taskId, dropped.taskId, never])).toEqual(expect.arrayContaining([dropped.taskId, never]));
        expect(await index.missing([kept.taskId])).toEqual([]);
        expect(await index.page({ owner: 'alice' }, 10)).toEqual({ rows: [kept] });
      });

      it('is gone with its task', async () => {
        const ended = { status: 'completed', endedAt: NOW } as const;
        const goneAt = Date.now() + 300;
        await index.put([rowAgo(1, { ...ended, goneAt: Date.now() - 1 }), rowAgo(2, { ...ended, goneAt }), failed('MAX_RUN', { goneAt })]);
        await waitUntil(async () => (await index.page({}, 10)).rows.length === 0, { description: 'rows whose tasks are gone are dropped' });
        await waitUntil(async () => (await index.counts()).failures.length === 0, { description: 'they are counted no more' });
        expect(opened.errors).toEqual([]);
      });
    });

    describe('counts', () => {
      it('leave out failures that were retried, also when their rows are written later or again', async () => {
        const rows = [failed('STEP_TIMEOUT'), failed('STEP_TIMEOUT'), failed('STEP_TIMEOUT')];
        const [first, second, third] = rows as [TaskRow, TaskRow, TaskRow];
        const [retry, again] = [newTaskId(), newTaskId()];
        await index.put([first, second]);
        await index.noteRetry(first, retry);
        await index.noteRetry(first, again);
        await index.noteRetry(third, retry);
        await index.put(rows.map((row) => ({ ...row, viewVersion: 2 })));
        expect(await index.counts()).toMatchObject({ failures: [{ reason: 'STEP_TIMEOUT', count: 1 }] });
        const ids = rows.map(({ taskId }) => taskId);
        const noted: [TaskId, TaskId][] = [
          [first.taskId, again],
          [third.taskId, retry],
        ];
        expect(await index.retries(ids)).toEqual(new Map(noted));
        expect((await index.page({ reason: 'STEP_TIMEOUT' }, 10)).rows).toHaveLength(3);
        await index.drop(ids);
        expect(await index.counts()).toMatchObject({ failures: [] });
        expect(await index.retries(ids)).toEqual(new Map());
      });

      it('are of each hour for a cause, with its newest task and its first time', async () => {
        const hour = Math.floor(NOW / HOUR_MS);
        const at = (ago: number, members: Partial<TaskRow> = {}): TaskRow =>
          failed('MAX_RUN', { createdAt: NOW - 1_000 - ago * HOUR_MS, endedAt: (hour - ago) * HOUR_MS + 5, ...members });
        const rows = [at(0), at(0), at(1), at(30), at(1, { cause: 'other' })];
        await index.put(rows);
        await index.noteRetry(rows[1] as TaskRow, newTaskId());
        const times = await index.failureTimes(['of MAX_RUN ', 'other', 'of nothing'], hour - 2, 3);
        expect([...times.keys()]).toEqual(['of MAX_RUN ', 'other']);
        const { newest, ...rest } = times.get('of MAX_RUN ') ?? {};
        expect(rows.slice(0, 2).map(({ taskId }) => taskId)).toContain(newest);
        expect(rest).toEqual({ firstAt: (hour - 30) * HOUR_MS + 5, hours: [0, 1, 1] });
        await index.put([{ ...(rows[0] as TaskRow), viewVersion: 2, endedAt: (hour - 1) * HOUR_MS }]);
        expect((await index.failureTimes(['of MAX_RUN '], hour - 2, 3)).get('of MAX_RUN ')).toMatchObject({ hours: [0, 2, 0] });
        await index.drop(rows.map(({ taskId }) => taskId));
        expect(await index.failureTimes(['of MAX_RUN ', 'other'], hour - 2, 3)).toEqual(new Map());
      });

      it('are of each status, and of failures by cause', async () => {
        const lost = [1, 2, 3].map((at) => failed('WORKER_LOST', { endedAt: NOW + at }));
        await index.put([rowAgo(1), rowAgo(2), rowAgo(3, { status: 'input_required' }), ...lost, failed('WORKER_LOST', { tool: 'mail' })]);
        expect(await index.counts()).toEqual({
          byStatus: { working: 2, input_required: 1, completed: 0, failed: 4, cancelled: 0 },
          failures: [
            { cause: 'of WORKER_LOST ', tool: 'research', reason: 'WORKER_LOST', count: 3, latestAt: NOW + 3 },
            { cause: 'of WORKER_LOST mail', tool: 'mail', reason: 'WORKER_LOST', count: 1, latestAt: NOW },
          ],
        });
        await index.drop(lost.slice(0, 2).map(({ taskId }) => taskId));
        expect(await index.counts()).toMatchObject({
          byStatus: { working: 2, failed: 2 },
          failures: expect.arrayContaining([
            { cause: 'of WORKER_LOST ', tool: 'research', reason: 'WORKER_LOST', count: 1, latestAt: NOW + 3 },
          ]) as unknown,
        });
      });
    });
  });
}
