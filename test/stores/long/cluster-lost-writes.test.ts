/**
 * Tests a cluster with masters that are replaced one by one by lagging replicas: each loses its last acknowledged writes. The stream of a
 * task, its entry in the agenda and its job lie on different masters, so each task may lose any of them.
 */
import { createOwnerContexts } from '@longhaul/sessions';
import { connectRedisStore, type RedisStore } from '@longhaul/store-redis';
import { type TaskId, TaskRunner, type Workflow } from '@longhaul/tasks';
import { newTaskId, taskData, TaskWriter } from '@longhaul/tasks/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LaggingReplica, RedisCluster } from '../../support/redis-cluster.js';
import { openTestRedis, type TestRedis } from '../../support/redis.js';
import { waitUntil } from '../../support/wait-until.js';

/** Tasks that are created while a replica lags, and before that. */
const WHILE_LAGGING = 60;
const BEFORE = 30;

let cluster: RedisCluster;
let replicas: readonly LaggingReplica[];
let test: TestRedis;
let store: RedisStore;
let runner: TaskRunner;

const workflow: Workflow = {
  name: 'research',
  run: async (_args, context) => {
    await context.step('first', () => 1);
    await context.sleep('short', 300);
    await context.step('second', () => 2);
    await context.sleep('long', 2_000);
    return { content: [] };
  },
  resultOfFailure: ({ message }) => ({ isError: true, message }),
};

beforeAll(async () => {
  cluster = await RedisCluster.start();
  replicas = await Promise.all(cluster.masters.map((master) => cluster.addReplica(master)));
  test = openTestRedis(cluster.location);
  store = await connectRedisStore({ ...test, role: 'worker', onError: () => undefined });
  runner = new TaskRunner({
    store,
    sessionValues: store.sessionState,
    owners: createOwnerContexts(store, () => undefined),
    workflows: () => workflow,
    workerId: 'worker',
    version: '1',
    onError: () => undefined,
  });
  await runner.start();
  await store.consume(runner.handle, { concurrency: 20 });
});
afterAll(async () => {
  runner.stop();
  await store.close();
  await test.cleanUp();
  await cluster.close();
});

/** Creates tasks one after the other. @returns the ids of all that may have a stream */
async function createTasks(count: number): Promise<readonly TaskId[]> {
  const writer = new TaskWriter({ store, clock: Date.now, onError: () => undefined });
  const ids = Array.from({ length: count }, newTaskId);
  for (const taskId of ids) {
    const [at, task] = [Date.now(), taskData()];
    await writer.create({ type: 'CreateTask', at, task }, { taskId, createdAt: at }, []).catch(() => undefined);
  }
  return ids;
}

describe('when each master is replaced by a replica that lags', () => {
  it('every task whose stream is there ends', async () => {
    const ids: TaskId[] = [];
    for (const [index, replica] of replicas.entries()) {
      ids.push(...(await createTasks(BEFORE)));
      await replica.leaveBehind();
      ids.push(...(await createTasks(WHILE_LAGGING)));
      const marker = await lastWrite(index);
      await replica.takeOver();
      expect(await replica.has(marker), 'the replica has missed the latest writes').toBe(false);
    }
    let unfinished: readonly TaskId[] = ids;
    const isDone = async (): Promise<boolean> => {
      const views = await store.events.views(unfinished);
      unfinished = unfinished.filter((_, index) => views[index] !== undefined && views[index].endedAt === undefined);
      return unfinished.length === 0;
    };
    await waitUntil(isDone, { timeoutMs: 90_000, description: 'every task has ended' }).catch((cause: unknown) => {
      throw new Error(`Not ended: ${unfinished.join(', ')}`, { cause });
    });
    const views = await store.events.views(ids);
    const present = views.filter((view) => view !== undefined);
    process.stdout.write(`${ids.length} tasks, ${ids.length - present.length} of them lost with their streams\n`);
    expect(present.map(({ ending }) => ending?.kind)).toEqual(present.map(() => 'result'));
    expect(present.length).toBeGreaterThan(3 * BEFORE);
  });
});

/** Writes a key at the master, as the last write before it is replaced. */
async function lastWrite(master: number): Promise<string> {
  const client = cluster.masters[master]?.client;
  for (let number = 0; ; number++) {
    const key = `${test.prefix}:marker:${number}`;
    if ((await client?.set(key, '1', 'EX', 600).catch(() => undefined)) === 'OK') return key;
  }
}
