import { ownerOfUser } from '@longhaul/sessions';
import { type OperatorService, TaskError, type TaskId } from '@longhaul/tasks';
import { expect, it } from 'vitest';
import { cancelTasksOf } from './tasks-of-principal.js';

const ACT = { by: 'operator:ada', reason: 'the token was stolen' };
const TASKS = ['one', 'two', 'three', 'four'] as unknown as readonly TaskId[];

/** Tasks of one owner, and the errors that keep some of them from being cancelled. */
function serving(faults: ReadonlyMap<string, unknown>): { tasks: Pick<OperatorService, 'list' | 'cancel'>; cancelled: TaskId[] } {
  const cancelled: TaskId[] = [];
  const rows = TASKS.map((taskId) => ({ row: { taskId, status: 'working' }, view: { owner: ownerOfUser('bob') } }));
  const tasks = {
    list: async () => ({ tasks: rows }),
    cancel: async (taskId: TaskId) => {
      if (faults.has(taskId)) throw faults.get(taskId);
      cancelled.push(taskId);
    },
  };
  return { tasks: tasks as unknown as Pick<OperatorService, 'list' | 'cancel'>, cancelled };
}

it('cancels the other tasks when one cannot be cancelled, and says which', async () => {
  const unreadable = new TaskError('HISTORY_UNREADABLE');
  const { tasks, cancelled } = serving(
    new Map<string, unknown>([
      ['two', unreadable],
      ['three', new TaskError('TASK_ENDED')],
    ]),
  );
  expect(await cancelTasksOf(tasks, { name: 'bob' }, ACT)).toEqual({ cancelled: 2, failed: [{ taskId: 'two', error: unreadable }] });
  expect(cancelled).toEqual(['one', 'four']);
});

it('gives up when the store is away', async () => {
  const { tasks, cancelled } = serving(new Map([['two', new TaskError('STORE_UNAVAILABLE')]]));
  await expect(cancelTasksOf(tasks, { name: 'bob' }, ACT)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(cancelled).toEqual(['one']);
});
