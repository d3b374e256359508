import { commandConnection } from '@longhaul/redis/testing';
import { connectRedisStore, type RedisStoreOptions } from '@longhaul/store-redis';
import { addressAccount, type JobDelivery, rowOf, type TaskId, wholeMs } from '@longhaul/tasks';
import { DEFAULT_OWNER_LIMITS } from '@longhaul/tasks/limits';
import { newTaskId, TaskHistory } from '@longhaul/tasks/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { encryptionOf } from '../../support/encryption.js';
import { waitUntil } from '../../support/wait-until.js';
import { SHORT_LOCK_TIMES } from '../support/stores.js';
import { RedisStores } from '../support/redis-stores.js';

const HOUR_MS = 3_600_000;
const ALICE = { owner: 'alice', limits: DEFAULT_OWNER_LIMITS };

const redis = new RedisStores();

describe('an ended task', () => {
  it.each([
    ['created', false, HOUR_MS],
    ['last continued as new', true, 2 * HOUR_MS],
  ])('is kept for its ttl from when it was %s', async (_, isContinued, leftMs) => {
    const { events } = await redis.connect();
    const task = new TaskHistory();
    for (const request of [task.create({ ttlMs: 2 * HOUR_MS }), task.claim()]) await events.append(request);
    const view = redis.keys.view(task.taskId);
    await redis.test.redis.hset(view, 'began', Date.now() - HOUR_MS);
    if (isContinued) for (const request of [task.continueAsNew({}), task.claim(2)]) await events.append(request);
    await events.append(task.complete());
    expect(Math.abs((await redis.test.redis.pttl(view)) - leftMs)).toBeLessThan(10_000);
  });
});

describe('the row of a new task', () => {
  it('is found by all that the index finds a row by, and leaves nothing when it is dropped', async () => {
    const { events, operators } = await redis.connect();
    const task = new TaskHistory();
    const request = task.create({ searchKeys: ['a'.repeat(22), 'b'.repeat(22)] });
    const row = { ...rowOf(request.projection.view), version: 'one' };
    const rows = redis.keys.rows(task.taskId);
    const kept = async () => {
      const sets = (await redis.test.redis.keys(`${rows}:*`)).sort();
      const members = await Promise.all(sets.map((set) => redis.test.redis.zrange(set, '0', '-1', 'WITHSCORES')));
      return { row: await redis.test.redis.hgetall(rows), sets: sets.map((set, at) => [set, members[at]]) };
    };
    await events.create({ ...request, row }, { taskId: task.taskId, createdAt: row.createdAt }, [ALICE]);
    const created = await kept();
    await operators.drop([task.taskId]);
    expect(await kept()).toEqual({ row: {}, sets: [] });
    await operators.put([row]);
    expect(created).toEqual(await kept());
    expect(created.sets).toHaveLength(6);
    await events.append(task.cancel());
  });
});

/** The address with a password that is not right. */
function withLogin(address: string, username: string): string {
  return Object.assign(new URL(address), { username, password: 'secret' }).href;
}

describe('connecting', () => {
  it('fails with one line, without the password, when nobody answers', async () => {
    const proxy = await redis.openProxy();
    proxy.cut();
    await proxy.close();
    const url = withLogin(proxy.url, 'user');
    const connecting = connectRedisStore({ url, role: 'gateway', onError: () => undefined });
    await expect(connecting).rejects.toThrow(/^Redis at rediss?:\/\/127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED.*$/);
    await expect(connecting).rejects.not.toThrow(/secret/);
  });
});

describe('a wrong password', () => {
  it('is an error that names the refusal', async () => {
    const url = withLogin(redis.test.url, 'nobody');
    const connecting = connectRedisStore({ url, role: 'gateway', onError: () => undefined });
    await expect(connecting).rejects.toThrow(/^Redis at rediss?:\/\/[^@]+ refuses the connection: WRONGPASS.*$/);
  });
});

describe('what is in Redis', () => {
  it('has a TTL when the task has ended, and none while it runs', async () => {
    const store = await redis.connect();
    const [completed, cancelled] = [new TaskHistory(), new TaskHistory()];
    for (const task of [completed, cancelled]) {
      await store.index.register({ taskId: task.taskId, createdAt: task.startedAt }, [ALICE]);
      await store.events.append(task.create());
      await store.events.append(task.claim());
    }
    const running = [completed, cancelled].flatMap(({ taskId }) => [redis.keys.events(taskId), redis.keys.view(taskId)]);
    expect((await redis.test.keysWithoutTtl()).sort()).toEqual(running.sort());
    await store.events.append(completed.complete());
    await store.events.append(cancelled.cancel());
    for (const { taskId } of [completed, cancelled]) await store.index.retire(['alice'], taskId, wholeMs(Date.now() + 1000));
    expect(await redis.test.keysWithoutTtl()).toEqual([]);
  });

  it('has a TTL also when a registration has dropped all that was there before it', async () => {
    const { index } = await redis.connect();
    const limits = { ...DEFAULT_OWNER_LIMITS, historyBytes: 1_000 };
    const add = (taskId: TaskId, bytes: number) => index.register({ taskId, createdAt: 1, bytes }, [{ owner: 'dropping', limits }]);
    const [expired, next] = [newTaskId(), newTaskId()];
    await add(expired, 30);
    await index.retire(['dropping'], expired, wholeMs(-1));
    expect(await add(next, 1_000)).toMatchObject({ verdict: 'registered' });
    expect(await redis.test.redis.pttl(redis.keys.ownerTasks('dropping'))).toBeGreaterThan(HOUR_MS);
  });

  it('knows the tasks of an owner for days more after each keep', async () => {
    const store = await redis.connect();
    const address = addressAccount('192.0.2.1');
    const names = [redis.keys.ownerTasks('alice'), redis.keys.ownerTasks(address), redis.keys.ownerAccount('alice')];
    await store.index.register({ taskId: newTaskId(), createdAt: 1, bytes: 10_000 }, [ALICE, { ...ALICE, owner: address }]);
    await store.index.retire(['alice'], newTaskId(), wholeMs(HOUR_MS));
    for (const name of names) await store.redis.pexpire(name, HOUR_MS);
    await store.index.keep(['alice', address]);
    for (const name of names) expect(await store.redis.pttl(name), name).toBeGreaterThan(7 * 24 * HOUR_MS);
  });

  it('is a large result once only, in its event', async () => {
    const store = await redis.connect();
    const [small, large] = [new TaskHistory(), new TaskHistory()];
    for (const request of [small.create(), small.claim(), small.complete('x'.repeat(60_000))]) await store.events.append(request);
    for (const request of [large.create(), large.claim(), large.complete('x'.repeat(70_000))]) await store.events.append(request);
    expect(await redis.test.redis.hexists(redis.keys.view(small.taskId), 'outcome')).toBe(1);
    expect(await redis.test.redis.hexists(redis.keys.view(large.taskId), 'outcome')).toBe(0);
  });

  it('is nothing of the user in a job, and nothing at all once the job has ended', async () => {
    const store = await redis.connect();
    const taskId = newTaskId();
    const jobKey = `${redis.keys.queuePrefix()}:tasks:${taskId}-1`;
    await store.queue.add({ taskId, pass: 1, secret: 'password' } as { taskId: typeof taskId; pass: number }, wholeMs(0));
    expect(await redis.test.redis.hget(jobKey, 'data')).toBe(JSON.stringify({ taskId, pass: 1 }));
    await store.consume(async () => ({}), { concurrency: 1 });
    await waitUntil(async () => (await redis.test.redis.exists(jobKey)) === 0, { description: 'the job is removed' });
  });
});

describe('two processes', () => {
  it.each<[string, (end: string, other: string) => string, Partial<RedisStoreOptions>]>([
    ['is no JSON', (end) => end.slice(0, -1), {}],
    ['has no end', () => '{"view":null}', {}],
    ['is that of another task', (_end, other) => other, { encryption: encryptionOf() }],
    ['was changed', (end) => end.replace(/(v1\.[\w-]{16}\.)[\w-]{4}/, '$1AAAA'), { encryption: encryptionOf() }],
    ['cannot be opened without keys', (end) => end, {}],
  ])('pass on only that a task has ended when the message of it %s', async (_, messageOf, options) => {
    const [encrypting, waiting] = [
      await redis.connect({ encryption: encryptionOf() }),
      await redis.connect({ encryption: undefined, ...options }),
    ];
    const [task, other] = [new TaskHistory(), new TaskHistory()];
    const ends: string[] = [];
    for (const { taskId } of [task, other]) {
      const subscriber = commandConnection(redis.test.adminUrl ?? redis.test.url, 'worker');
      onTestFinished(() => subscriber.disconnect());
      await subscriber.subscribe(redis.keys.changes(taskId));
      subscriber.on('message', (_channel: string, message: string) => {
        const [change = '', ended] = message.split('\n');
        if (ended !== undefined && change.startsWith(taskId)) ends.push(ended);
      });
    }
    for (const one of [task, other]) {
      for (const request of [one.create(), one.claim(), one.complete()]) await encrypting.events.append(request);
      await waitUntil(() => ends.at(-1)?.includes(one.taskId), { description: 'the end is heard of' });
    }
    const [end = '', otherEnd = ''] = ends;
    const heard = Promise.withResolvers<unknown>();
    const unsubscribe = await waiting.events.subscribe(task.taskId, heard.resolve);
    await redis.test.redis.publish(redis.keys.changes(task.taskId), `${task.taskId} 3 completed\n${messageOf(end, otherEnd)}`);
    expect(await heard.promise).toBeUndefined();
    unsubscribe();
  });

  it.each<[string, number, boolean, Partial<RedisStoreOptions>]>([
    ['a short end with the message of it', 1, true, {}],
    ['one that is encrypted with the message of it', 1, true, { encryption: encryptionOf() }],
    ['only the message of a long one', 20_000, false, {}],
  ])('passes on %s', async (_, size, isBrought, options) => {
    const store = await redis.connect(options);
    const task = new TaskHistory();
    for (const request of [task.create(), task.claim()]) await store.events.append(request);
    const heard = Promise.withResolvers<unknown>();
    const unsubscribe = await store.events.subscribe(task.taskId, heard.resolve);
    await store.events.append(task.complete('x'.repeat(size)));
    expect(await heard.promise).toEqual(isBrought ? await store.events.readOutcome(task.taskId) : undefined);
    unsubscribe();
  });

  it('hear of each other’s appends', async () => {
    const [gateway, worker] = [await redis.connect(), await redis.connect({ role: 'worker' })];
    const task = new TaskHistory();
    let woken = false;
    await gateway.events.subscribe(task.taskId, () => (woken = true));
    await worker.events.append(task.create());
    await waitUntil(() => woken, { description: 'the other process is woken' });
  });
});

describe('a session job', () => {
  it('says how many workers have lost it since it was last judged', async () => {
    const store = await redis.connect({ role: 'worker' });
    const run = { sessionId: 'session', name: 'job', runId: newTaskId() };
    const jobKey = `${redis.keys.queuePrefix()}:tasks:session-${run.runId}`;
    const seen: number[] = [];
    const consumer = await store.consume(async () => ({}), {
      concurrency: 5,
      sideJobs: {
        session: async (_data, losses) => {
          seen.push(losses);
          // What BullMQ counts when it finds a job without a lock.
          if (seen.length === 1) await redis.test.redis.hset(jobKey, 'stc', 2);
          return seen.length < 3 ? { againAt: wholeMs(Date.now()) } : {};
        },
      },
    });
    await store.queue.addSideJob({ kind: 'session', id: `session-${run.runId}`, data: run });
    await waitUntil(() => seen.length === 3 && consumer.active === 0, { description: 'the job has run three times' });
    expect(seen).toEqual([0, 2, 0]);
  });
});

describe('a lost lock', () => {
  it('aborts the delivery, and the job comes back only when its first run has ended', async () => {
    const store = await redis.connect({ role: 'worker', lockTimes: SHORT_LOCK_TIMES });
    const deliveries: JobDelivery[] = [];
    let endFirst = (): void => undefined;
    const consumer = await store.consume(
      async (delivery) => {
        deliveries.push(delivery);
        if (deliveries.length === 1) await new Promise<void>((resolve) => (endFirst = resolve));
        return {};
      },
      { concurrency: 5 },
    );
    const taskId = newTaskId();
    const jobKey = `${redis.keys.queuePrefix()}:tasks:${taskId}-1`;
    await store.queue.add({ taskId, pass: 1 }, wholeMs(0));
    await waitUntil(() => deliveries.length === 1, { description: 'the job is delivered' });
    await redis.test.redis.del(`${jobKey}:lock`);
    await waitUntil(() => deliveries[0]?.signal.aborted, { description: 'the delivery is aborted' });
    // The same worker finds the job, but does not start it during its first run.
    await waitUntil(async () => (await redis.test.redis.hget(jobKey, 'stc')) !== null, { description: 'the job is found to be lost' });
    await waitUntil(async () => Number(await redis.test.redis.hget(jobKey, 'ats')) > 1, { description: 'the worker is offered it again' });
    expect(deliveries).toHaveLength(1);
    endFirst();
    await waitUntil(() => deliveries.length === 2, { description: 'the job is delivered again' });
    expect(deliveries[1]).toMatchObject({ job: { taskId, pass: 1 }, redelivered: true });
    await waitUntil(async () => (await redis.test.redis.exists(jobKey)) === 0, { description: 'the job has ended' });
    expect(consumer.active).toBe(0);
  });
});
