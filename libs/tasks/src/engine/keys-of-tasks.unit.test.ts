import { expect, it } from 'vitest';
import type { TaskEvent } from '../domain/events.js';
import { StoreUnreached, TaskError } from '../errors.js';
import { newTaskId, sampleOf } from '../testing/index.js';
import type { Workflow } from '../replay/workflow.js';
import { keysOfTasks } from './keys-of-tasks.js';

const workflow = (key: (args: { readonly account?: unknown }) => unknown): Workflow => ({
  name: 'keyed',
  limit: { key, maxRunning: 1 },
  run: async () => ({}),
  resultOfFailure: () => ({}),
});

function keysOf(given: Workflow | undefined, account: unknown, read?: () => never) {
  const errors: unknown[] = [];
  const sample = sampleOf('TaskCreated');
  const first = { ...sample, data: { ...sample.data, tool: 'keyed', arguments: { account } } } as TaskEvent;
  const keyOf = keysOfTasks({
    events: {
      readPage: async () => read?.() ?? { events: account === undefined ? [] : [first], version: 1, isLast: true, historyBytes: 0 },
    },
    workflows: (name) => (name === 'keyed' ? given : undefined),
    onError: (error) => errors.push(error),
  });
  return { errors, key: () => keyOf({ taskId: newTaskId(), pass: 1, tool: 'keyed' }) };
}
const byAccount = workflow(({ account }) => account);

it('is the same for the same value, another one for another, and does not show it', async () => {
  const keys = await Promise.all(['a', 'a', 'b', '1', 1, true, '🙂', ''].map((account) => keysOf(byAccount, account).key()));
  expect(keys[0]).toBe(keys[1]);
  expect(new Set(keys).size).toBe(7);
  for (const key of keys) expect(key).toMatch(/^[\w-]{22}$/);
});

it('is one for all tasks without a key, also when the function throws, which is reported', async () => {
  const without = await Promise.all([null, {}, [1]].map((account) => keysOf(byAccount, account).key()));
  const { errors, key } = keysOf(
    workflow(() => {
      throw new Error('broken');
    }),
    'a',
  );
  expect(new Set([...without, await key()]).size).toBe(1);
  expect(errors).toMatchObject([{ message: 'The function limit.key of tool keyed has thrown.', cause: { message: 'broken' } }]);
});

it('is missing for a tool without a limit, a task that is gone, and a history that cannot be read, and waits for the store', async () => {
  expect(await keysOf(undefined, 'a').key()).toBeUndefined();
  expect(await keysOf(byAccount, undefined).key()).toBeUndefined();
  const throwing = (error: Error) =>
    keysOf(byAccount, 'a', () => {
      throw error;
    }).key();
  expect(await throwing(new TaskError('HISTORY_UNREADABLE'))).toBeUndefined();
  await expect(throwing(new StoreUnreached())).rejects.toThrow();
});
