/** Tests the sweep on a real Redis: what it finds, and how soon. */
import { createOwnerContexts } from '@longhaul/sessions';
import { connectRedisStore, type RedisStore, RedisKeys } from '@longhaul/store-redis';
import { createTaskService, type TaskCreatedData, type TaskId, TaskRunner, wholeMs, type Workflow } from '@longhaul/tasks';
import { inParallel, newTaskId, Sweep, taskData, TaskWriter } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestRedis, type TestRedis } from '../../support/redis.js';
import { scaled } from '../../support/scale.js';
import { waitUntil } from '../../support/wait-until.js';

const MANY = scaled(1_000, 5_000);
const NO_LIMITS = { concurrentTasks: 1_000_000, tasksPerMinute: 1_000_000 };

let test: TestRedis;
let keys: RedisKeys;
let store: RedisStore;
let errors: unknown[];
let stop: (() => Promise<void>) | undefined;

const onError = (error: unknown): void => void errors.push(error);

beforeEach(async () => {
  test = openTestRedis();
  keys = new RedisKeys(test.prefix);
  errors = [];
  store = await connectRedisStore({ url: test.url, prefix: test.prefix, role: 'worker', onError });
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
  await store.close();
  await test.cleanUp();
});

async function createTasks(count: number, task: Partial<TaskCreatedData> = {}): Promise<readonly TaskId[]> {
  const service = createTaskService(store, { limits: NO_LIMITS, onError });
  const ids: TaskId[] = [];
  const owners = Array.from({ length: count }, (_, index) => `owner ${index % 100}`);
  await inParallel(owners, 64, async (owner) => void ids.push((await service.create(taskData({ owner, ...task }))).taskId));
  return ids;
}

async function endedOf(ids: readonly TaskId[]): Promise<number> {
  return (await store.events.views(ids)).filter((view) => view?.endedAt !== undefined).length;
}

async function isAgendaEmpty(): Promise<boolean> {
  const sizes = await Promise.all(keys.allUnfinished().map((key) => test.redis.zcard(key)));
  return sizes.every((size) => size === 0);
}

/** At once: what a failover loses, it loses of whole scripts of BullMQ, so that no job is left without its place in the queue. */
const LOSE = `for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('UNLINK', key) end`;

/** Removes the queue with all of its jobs, as a failover of its master without the latest writes does. */
async function loseQueue(): Promise<void> {
  await test.redis.eval(LOSE, 0, `${keys.queuePrefix()}:tasks:*`);
}

async function startWorker(run: Workflow['run'] = async () => ({ content: [] })): Promise<void> {
  const workflow: Workflow = { name: 'research', run, resultOfFailure: ({ message }) => ({ isError: true, message }) };
  const runner = new TaskRunner({
    store,
    sessionValues: store.sessionState,
    owners: createOwnerContexts(store, onError),
    workflows: () => workflow,
    workerId: 'worker',
    version: '1',
    onError,
  });
  await runner.start();
  const consumer = await store.consume(runner.handle, { concurrency: 50 });
  stop = async () => {
    runner.stop();
    await consumer.close();
  };
}

/** Makes every entry of the agenda due. */
async function dateBack(): Promise<void> {
  for (const key of keys.allUnfinished()) {
    const ids = await test.redis.zrange(key, '0', '-1');
    if (ids.length > 0) await test.redis.zadd(key, ...ids.flatMap((id) => [1, id]));
  }
}

function sweep(): Promise<number> {
  return new Sweep({ store, writer: new TaskWriter({ store, clock: Date.now, onError }), onError }).run();
}

describe('tasks whose queue was lost after they were dispatched', () => {
  it(`all run again, by one worker, if they are ${MANY}`, async () => {
    const ids = await createTasks(MANY);
    await loseQueue();
    const startedAt = performance.now();
    await startWorker();
    await waitUntil(isAgendaEmpty, { description: 'all have ended and are removed from the agenda' });
    const tookMs = performance.now() - startedAt;
    process.stdout.write(`${MANY} tasks without jobs: ended ${(tookMs / 1_000).toFixed(1)} s after the worker's start\n`);
    expect(await endedOf(ids)).toBe(MANY);
    expect(errors).toEqual([]);
  });

  it('go on where they are', async () => {
    let attempts = 0;
    await startWorker(async (_args, context) => {
      await context.step('once', () => (attempts += 1));
      await context.sleep('nap', 2_000);
      return { content: [] };
    });
    const ids = await createTasks(50);
    await waitUntil(() => attempts === 50, { description: 'all sleep' });
    await loseQueue();
    await waitUntil(async () => (await endedOf(ids)) === ids.length, { description: 'all have ended' });
    expect(attempts).toBe(50);
  });
});

describe('the sweep on Redis', () => {
  it(`looks at ${MANY} old entries at once`, async () => {
    await createTasks(MANY);
    await loseQueue();
    await dateBack();
    const startedAt = performance.now();
    expect(await sweep()).toBe(MANY);
    const tookMs = performance.now() - startedAt;
    process.stdout.write(`${MANY} old entries: ${(tookMs / 1_000).toFixed(1)} s\n`);
    expect(await test.redis.llen(`${keys.queuePrefix()}:tasks:wait`)).toBe(MANY);
  });

  it('keeps 300 deadlines, though a task that cannot be read stands before them', async () => {
    await unreadableTasks();
    const ids = await createTasks(300, { maxRunMs: 6_000 });
    await loseQueue();
    const views = await store.events.views(ids);
    const deadlines = views.map((view) => (view?.createdAt ?? 0) + 6_000);
    const runner = new TaskRunner({
      store,
      sessionValues: store.sessionState,
      owners: createOwnerContexts(store, onError),
      workflows: () => undefined,
      workerId: 'sweeper',
      version: '1',
      onError,
    });
    await runner.start();
    stop = async () => runner.stop();
    await waitUntil(async () => (await endedOf(ids)) === ids.length, { description: 'all have failed' });
    const ended = await store.events.views(ids);
    const late = ended.map((view, index) => (view?.endedAt ?? Infinity) - (deadlines[index] ?? 0));
    process.stdout.write(`300 deadlines: kept within ${Math.max(...late)} ms\n`);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(errors.map(String).filter((error) => error.startsWith('TaskSetAside'))).toHaveLength(1);
  });

  it('reports a task that cannot be read, once, and repairs one whose events are there', async () => {
    const [whole, broken] = await unreadableTasks();
    await dateBack();
    expect(await sweep()).toBe(2);
    expect(errors).toMatchObject([{ message: expect.stringContaining(broken) as string }]);
    await startWorker();
    await waitUntil(async () => (await test.redis.hexists(keys.view(whole), 'outcome')) === 1, { description: 'the whole one ends' });
    expect(await endedOf([whole])).toBe(1);
  });
});

describe('an idempotency key on Redis', () => {
  it('never runs the work again when its task is gone', async () => {
    const service = createTaskService(store, { onError });
    const call = () => service.create(taskData({ idempotencyKey: 'once', ttlMs: 1 }));
    await startWorker();
    const { taskId } = await call();
    await waitUntil(async () => (await endedOf([taskId])) === 1, { description: 'the task ends' });
    const key = keys.idempotencyKey('alice', 'once');
    const used = async (): Promise<boolean> => ((await test.redis.get(key)) ?? '').endsWith(':used');
    await waitUntil(used, { description: 'the key is used' });
    const leftMs = (await test.redis.pttl(key)) - (await test.redis.pttl(keys.view(taskId)));
    // Both are read one after the other.
    expect(leftMs).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(leftMs).toBeLessThan(25 * 3_600_000);
    for (const name of [keys.view(taskId), keys.events(taskId)]) await test.redis.pexpire(name, 1);
    await waitUntil(async () => (await test.redis.exists(keys.view(taskId))) === 0, { description: 'the task is gone' });
    await expect(call()).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_SPENT' });
    expect(await test.redis.exists(keys.view(taskId))).toBe(0);
    await test.redis.pexpire(key, 1);
    await waitUntil(async () => (await test.redis.exists(key)) === 0, { description: 'the key is gone' });
    expect((await call()).taskId).not.toBe(taskId);
  });

  it('lives on as long as its task is unfinished', async () => {
    const service = createTaskService(store, { onError });
    const { taskId } = await service.create(taskData({ idempotencyKey: 'once' }));
    const key = keys.idempotencyKey('alice', 'once');
    expect(await test.redis.pttl(key)).toBeGreaterThan(7.9 * 24 * 3_600_000);
    await test.redis.pexpire(key, 60_000);
    await dateBack();
    await sweep();
    expect(await test.redis.pttl(key)).toBeGreaterThan(7.9 * 24 * 3_600_000);
    expect((await service.create(taskData({ idempotencyKey: 'once' }))).taskId).toBe(taskId);
  });
});

/**
 * Two tasks at the head of the agenda with unreadable views. The events of the first one are readable, the events of the second one are
 * not.
 */
async function unreadableTasks(): Promise<readonly [whole: TaskId, broken: TaskId]> {
  const [whole = newTaskId()] = await createTasks(1);
  const broken = newTaskId();
  await test.redis.hset(keys.view(whole), 'view', '{"taskId":');
  await test.redis.set(keys.view(broken), 'no hash');
  await test.redis.pexpire(keys.view(broken), 600_000);
  await store.agenda.date(broken, wholeMs(-1_000));
  return [whole, broken];
}
