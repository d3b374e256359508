/** Tests the ways of docs/backup.md to copy a Redis and to put the copy back. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connectRedisStore } from '@longhaul/store-redis';
import type { TaskId } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ChaosRedis } from '../../support/chaos-redis.js';
import { waitUntil } from '../../support/wait-until.js';

let redis: ChaosRedis;
beforeEach(async () => {
  redis = await ChaosRedis.start();
});
afterEach(() => redis.close());

const inFolder = (name: string): string => join(redis.folder, name);

async function newTask(): Promise<TaskId> {
  const store = await connectRedisStore({ url: redis.url, role: 'gateway', onError: () => undefined });
  const task = new TaskHistory();
  await store.events.append(task.create({}));
  await store.close();
  return task.taskId;
}

async function isThere(taskId: TaskId): Promise<boolean> {
  const store = await connectRedisStore({ url: redis.url, role: 'gateway', onError: () => undefined });
  const [view] = await store.events.views([taskId]);
  await store.close();
  return view !== undefined;
}

const isAtRest = async (): Promise<boolean> => {
  const info = await redis.client.info('persistence');
  return ['rdb_bgsave_in_progress:0', 'aof_rewrite_in_progress:0', 'aof_rewrite_scheduled:0'].every((line) => info.includes(line));
};

it('a copy of the append-only file has what was there when it was made', async () => {
  const before = await newTask();
  await redis.client.config('SET', 'auto-aof-rewrite-percentage', '0');
  await waitUntil(isAtRest, { description: 'the file is not rewritten' });
  await cp(inFolder('appendonlydir'), inFolder('copy'), { recursive: true });
  const after = await newTask();
  await redis.kill();
  await rm(inFolder('appendonlydir'), { recursive: true });
  await cp(inFolder('copy'), inFolder('appendonlydir'), { recursive: true });
  await redis.up();
  expect([await isThere(before), await isThere(after)]).toEqual([true, false]);
});

it('a copy of a snapshot has the same, and the append-only file is turned on again with it', async () => {
  const before = await newTask();
  await redis.client.bgsave();
  await waitUntil(isAtRest, { description: 'the snapshot is written' });
  await cp(inFolder('dump.rdb'), inFolder('copy.rdb'));
  const after = await newTask();
  await redis.kill();
  await rm(inFolder('appendonlydir'), { recursive: true });
  await cp(inFolder('copy.rdb'), inFolder('dump.rdb'));
  await redis.up(['--appendonly', 'no']);
  await redis.client.config('SET', 'appendonly', 'yes');
  await waitUntil(isAtRest, { description: 'the append-only file is written' });
  await redis.kill();
  await redis.up();
  expect([await isThere(before), await isThere(after)]).toEqual([true, false]);
});
