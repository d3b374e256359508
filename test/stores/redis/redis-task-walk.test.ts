/** Tests how lost entries of the agenda come back, on one server. */
import { connectRedisStore, type RedisStore, RedisKeys } from '@longhaul/store-redis';
import { type TaskId, wholeMs } from '@longhaul/tasks';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChaosRedis } from '../../support/chaos-redis.js';
import { openTestRedis, type TestRedis } from '../../support/redis.js';
import { waitUntil } from '../../support/wait-until.js';

const TASKS = 300;

let server: ChaosRedis;
let test: TestRedis;
let keys: RedisKeys;
const opened: RedisStore[] = [];

beforeEach(async () => {
  server = await ChaosRedis.start('everysec');
  test = openTestRedis({ url: server.url, cluster: false });
  keys = new RedisKeys(test.prefix);
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await test.cleanUp();
  await server.close();
});

async function connect(): Promise<RedisStore> {
  const store = await connectRedisStore({ url: test.url, prefix: test.prefix, role: 'worker', onError: () => undefined });
  opened.push(store);
  return store;
}

/** Unfinished tasks, and as many that have ended. */
async function writeTasks({ events }: RedisStore): Promise<readonly TaskId[]> {
  const unfinished: TaskId[] = [];
  for (let count = 0; count < TASKS; count++) {
    const [open, ended] = [new TaskHistory(), new TaskHistory()];
    await Promise.all([events.append(open.create()), events.append(ended.create()).then(() => events.append(ended.cancel()))]);
    unfinished.push(open.taskId);
  }
  return unfinished.sort();
}

async function entries(): Promise<readonly string[]> {
  return (await Promise.all(keys.allUnfinished().map((key) => test.redis.zrange(key, '0', '-1')))).flat().sort();
}

async function due(): Promise<readonly string[]> {
  return (await Promise.all(keys.allUnfinished().map((key) => test.redis.zrange(key, '-inf', String(Date.now()), 'BYSCORE'))))
    .flat()
    .sort();
}

const hasWalked = async (): Promise<boolean> => (await test.redis.hexists(keys.walked(), 'at')) === 1;

/** Has the stores heal until one has walked to the end. */
async function walk(...stores: readonly RedisStore[]): Promise<void> {
  const goOn = async (): Promise<boolean> => {
    for (const { agenda } of stores) await agenda.heal();
    return hasWalked();
  };
  await waitUntil(goOn, { description: 'all tasks have been walked over' });
}

describe('a walk over all tasks', () => {
  it('gives every unfinished task an entry that has none, and no other task', async () => {
    const store = await connect();
    const unfinished = await writeTasks(store);
    await walk(store);
    expect(await due()).toEqual(unfinished);
    expect(await test.redis.pttl(keys.walked())).toBeGreaterThan(0);
  });

  it('meets every task, ended ones too, also those that only operators have', async () => {
    const store = await connect();
    const unfinished = await writeTasks(store);
    const kept = new TaskHistory();
    await store.events.append(kept.create());
    const end = kept.cancel();
    const { view, ...outcome } = end.projection;
    await store.events.append({ ...end, projection: { view: { ...view, keptMs: 3_600_000 }, ...outcome } });
    await test.redis.del(keys.view(kept.taskId));
    const met = new Set<TaskId>();
    const goOn = async (): Promise<boolean> => {
      await store.agenda.heal(async (taskIds) => taskIds.forEach((taskId) => met.add(taskId)));
      return hasWalked();
    };
    await waitUntil(goOn, { description: 'all tasks have been walked over' });
    expect(met.size).toBe(2 * TASKS + 1);
    expect(met).toContain(kept.taskId);
    for (const taskId of unfinished) expect(met).toContain(taskId);
    expect(await entries()).toEqual(unfinished);
  });

  it('is made by one process at a time, and anew by another one when that dies', async () => {
    const [first, second] = [await connect(), await connect()];
    await writeTasks(first);
    await test.redis.hset(keys.walked(), { walker: 'another process', until: Date.now() + 300 });
    await first.agenda.heal();
    expect(await entries()).toEqual([]);
    await waitUntil(async () => Date.now() - 300 > Number(await test.redis.hget(keys.walked(), 'until')), {
      description: 'its lease is over',
    });
    await walk(second);
    expect(await entries()).toHaveLength(TASKS);
  });

  it('is not made again when it was made within ten minutes, and then looks for tasks without an entry only', async () => {
    const store = await connect();
    const [first, ...others] = await writeTasks(store);
    await walk(store);
    await test.redis.del(...keys.allUnfinished());
    const again = await connect();
    await again.agenda.heal();
    expect(await entries()).toEqual([]);
    await again.agenda.date(first as TaskId, wholeMs(60_000));
    const tenMinutesAgo = Number(await test.redis.hget(keys.walked(), 'at')) - 600_000;
    await test.redis.hset(keys.walked(), 'at', tenMinutesAgo);
    const last = await connect();
    await waitUntil(
      async () => {
        await last.agenda.heal();
        return (await entries()).length === TASKS;
      },
      { description: 'every task has an entry' },
    );
    expect(await due()).toEqual(others);
  });

  it('has all unfinished tasks looked at after a restart of the server, also those with an entry', async () => {
    const store = await connect();
    const unfinished = await writeTasks(store);
    for (const taskId of unfinished) await store.agenda.date(taskId, wholeMs(3_600_000));
    await walk(store);
    await test.redis.del(...keys.allUnfinished());
    for (const taskId of unfinished) await store.agenda.date(taskId, wholeMs(3_600_000));
    await server.kill();
    await server.up();
    const heal = (): Promise<boolean> =>
      store.agenda.heal().then(
        async () => (await due()).length === TASKS,
        () => false,
      );
    await waitUntil(heal, { description: 'every task is due for a look' });
    expect(await due()).toEqual(unfinished);
  });
});
