/** Tests that times of tasks are by the clock of Redis, whatever the clock of the process says. */
import { connectRedisStore } from '@longhaul/store-redis';
import { createTaskService, rowOf } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestRedis, type TestRedis } from '../../support/redis.js';

const MINUTE_MS = 60_000;
/** Whether a time is about now: minutes of a wrong clock are not in it. */
const isPresent = (at: number): boolean => Math.abs(at - Date.now()) < MINUTE_MS;

let test: TestRedis;
beforeEach(() => {
  test = openTestRedis();
});
afterEach(() => test.cleanUp());

const fail = (error: unknown): never => {
  throw error;
};

it.each([-10, 10])('a process that is %i minutes ahead records the time of Redis', async (minutes) => {
  const ownClock = () => Date.now() + minutes * MINUTE_MS;
  const store = await connectRedisStore({ url: test.url, prefix: test.prefix, role: 'worker', ownClock, onError: fail });
  const task = new TaskHistory();
  const created = task.create();
  await store.events.append({ ...created, row: rowOf(created.projection.view) });
  const service = createTaskService(store, { onError: fail });
  expect(isPresent(store.clock())).toBe(true);
  const { ending, endedAt = 0 } = await service.cancel(task.taskId, { owner: 'alice' });
  expect(ending).toMatchObject({ kind: 'cancelled' });
  expect(isPresent(endedAt)).toBe(true);
  await store.close();
});

it('a clock that is off by less than a second is left as it is', async () => {
  const at = Date.now() + 500;
  const ownClock = () => at;
  const store = await connectRedisStore({ url: test.url, prefix: test.prefix, role: 'worker', ownClock, onError: fail });
  expect(store.clock()).toBe(at);
  await store.close();
});
