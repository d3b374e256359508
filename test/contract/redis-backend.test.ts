import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectRedisBackend, type RedisBackend, type RedisBackendOptions } from '../../libs/sessions/src/redis/backend.js';
import type { TaskId } from '../../libs/tasks/src/domain/task-id.js';
import type { JobDelivery } from '../../libs/tasks/src/ports/task-queue.js';
import { RedisKeys } from '../../libs/tasks/src/redis/keys.js';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { openTestRedis, type TestRedis } from '../support/redis.js';
import { newTaskId, TaskHistory } from '../../libs/tasks/src/testing/task-history.js';
import { DEFAULT_OWNER_LIMITS } from '../../libs/tasks/src/limits.js';
import { waitUntil } from '../support/wait-until.js';
import { SHORT_LOCK_TIMES } from './backends.js';

const HOUR_MS = 3_600_000;
const ALICE = { owner: 'alice', limits: DEFAULT_OWNER_LIMITS };
const UNAVAILABLE = { name: 'TaskError', code: 'STORE_UNAVAILABLE' };

let test: TestRedis;
let keys: RedisKeys;
const opened: { close(): Promise<void> }[] = [];

beforeAll(() => {
  test = openTestRedis();
  keys = new RedisKeys(test.prefix);
});
afterEach(async () => {
  for (const { close } of opened.splice(0).toReversed()) await close();
});
afterAll(() => test.cleanUp());

async function connect(options: Partial<RedisBackendOptions> = {}): Promise<RedisBackend> {
  const backend = await connectRedisBackend({
    url: test.url,
    prefix: test.prefix,
    role: 'gateway',
    onError: () => undefined,
    ...options,
  });
  opened.push(backend);
  return backend;
}

async function openProxy(): Promise<TcpProxy> {
  const proxy = await openTcpProxy(test.url);
  opened.push(proxy);
  return proxy;
}

describe('an ended task', () => {
  it.each([
    ['created', false, HOUR_MS],
    ['last continued as new', true, 2 * HOUR_MS],
  ])('is kept for its ttl from when it was %s', async (_, isContinued, leftMs) => {
    const { events } = await connect();
    const task = new TaskHistory();
    for (const request of [task.create({ ttlMs: 2 * HOUR_MS }), task.claim()]) await events.append(request);
    const view = keys.view(task.taskId);
    await test.redis.hset(view, 'began', Date.now() - HOUR_MS);
    if (isContinued) for (const request of [task.continueAsNew({}), task.claim(2)]) await events.append(request);
    await events.append(task.complete());
    expect(Math.abs((await test.redis.pttl(view)) - leftMs)).toBeLessThan(10_000);
  });
});

describe('connecting', () => {
  it('fails with one line, without the password, when nobody answers', async () => {
    const proxy = await openProxy();
    proxy.cut();
    await proxy.close();
    const url = proxy.url.replace('redis://', 'redis://user:secret@');
    const connecting = connectRedisBackend({ url, role: 'gateway', onError: () => undefined });
    await expect(connecting).rejects.toThrow(/^Redis at redis:\/\/127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED.*$/);
    await expect(connecting).rejects.not.toThrow(/secret/);
  });
});

describe('a wrong password', () => {
  it('is told as a refusal', async () => {
    const url = test.url.replace('redis://', 'redis://nobody:secret@');
    const connecting = connectRedisBackend({ url, role: 'gateway', onError: () => undefined });
    await expect(connecting).rejects.toThrow(/^Redis at redis:\/\/[^@]+ refuses the connection: WRONGPASS.*$/);
  });
});

describe('what is in Redis', () => {
  it('has a TTL when the task has ended, and none while it runs', async () => {
    const backend = await connect();
    const [completed, cancelled] = [new TaskHistory(), new TaskHistory()];
    for (const task of [completed, cancelled]) {
      await backend.index.register({ taskId: task.taskId, createdAt: task.startedAt, implicit: false }, [ALICE]);
      await backend.events.append(task.create());
      await backend.events.append(task.claim());
    }
    const running = [completed, cancelled].flatMap(({ taskId }) => [keys.events(taskId), keys.view(taskId)]);
    expect((await test.keysWithoutTtl()).sort()).toEqual(running.sort());
    await backend.events.append(completed.complete());
    await backend.events.append(cancelled.cancel());
    for (const { taskId } of [completed, cancelled]) await backend.index.retire(['alice'], taskId, Date.now() + 1000);
    expect(await test.keysWithoutTtl()).toEqual([]);
  });

  it('has a TTL also when a registration has dropped all that was there before it', async () => {
    const { index } = await connect();
    const limits = { ...DEFAULT_OWNER_LIMITS, historyBytes: 1_000 };
    const add = (taskId: TaskId, bytes: number) =>
      index.register({ taskId, createdAt: 1, implicit: false, bytes }, [{ owner: 'dropping', limits }]);
    const [expired, next] = [newTaskId(), newTaskId()];
    await add(expired, 30);
    await index.retire(['dropping'], expired, -1);
    expect(await add(next, 1_000)).toMatchObject({ verdict: 'registered' });
    expect(await test.redis.pttl(keys.ownerTasks('dropping'))).toBeGreaterThan(HOUR_MS);
  });

  it('knows the tasks of an owner for days more each time that it is told to', async () => {
    const backend = await connect();
    const names = [keys.ownerTasks('alice'), keys.ownerExpiring('alice'), keys.ownerImplicit('alice'), keys.ownerBytes('alice')];
    for (const implicit of [false, true])
      await backend.index.register({ taskId: newTaskId(), createdAt: 1, implicit, bytes: 10_000 }, [ALICE]);
    await backend.index.retire(['alice'], newTaskId(), HOUR_MS);
    for (const name of names) await backend.redis.pexpire(name, HOUR_MS);
    await backend.index.keep(['alice']);
    for (const name of names) expect(await backend.redis.pttl(name), name).toBeGreaterThan(7 * 24 * HOUR_MS);
  });

  it('is a large result once only, in its event', async () => {
    const backend = await connect();
    const [small, large] = [new TaskHistory(), new TaskHistory()];
    for (const request of [small.create(), small.claim(), small.complete('x'.repeat(60_000))]) await backend.events.append(request);
    for (const request of [large.create(), large.claim(), large.complete('x'.repeat(70_000))]) await backend.events.append(request);
    expect(await test.redis.hexists(keys.view(small.taskId), 'outcome')).toBe(1);
    expect(await test.redis.hexists(keys.view(large.taskId), 'outcome')).toBe(0);
  });

  it('is nothing of the user in a job, and nothing at all once the job has ended', async () => {
    const backend = await connect();
    const taskId = newTaskId();
    const jobKey = `${keys.queuePrefix()}:tasks:${taskId}-1`;
    await backend.queue.add({ taskId, pass: 1, secret: 'password' } as { taskId: typeof taskId; pass: number }, 0);
    expect(await test.redis.hget(jobKey, 'data')).toBe(JSON.stringify({ taskId, pass: 1 }));
    await backend.consume(async () => ({}), { concurrency: 1 });
    await waitUntil(async () => (await test.redis.exists(jobKey)) === 0, { description: 'the job is removed' });
  });
});

describe('two processes', () => {
  it('hear of each other’s appends', async () => {
    const [gateway, worker] = [await connect(), await connect({ role: 'worker' })];
    const task = new TaskHistory();
    let woken = false;
    await gateway.events.subscribe(task.taskId, () => (woken = true));
    await worker.events.append(task.create());
    await waitUntil(() => woken, { description: 'the other process is woken' });
  });
});

describe('an outage', () => {
  it('makes every call of a gateway fail at once, and is over when Redis is back', async () => {
    const proxy = await openProxy();
    const backend = await connect({ url: proxy.url });
    const task = new TaskHistory();
    await backend.events.append(task.create());
    proxy.cut();
    await waitUntil(() => backend.redis.status !== 'ready', { description: 'the outage is noticed' });
    const startedAt = Date.now();
    const calls: (() => Promise<unknown>)[] = [
      () => backend.events.append(task.fork().cancel()),
      () => backend.events.read(task.taskId),
      () => backend.events.views([task.taskId]),
      () => backend.events.readOutcome(task.taskId),
      () => backend.events.subscribe(task.taskId, () => undefined),
      () => backend.index.register({ taskId: task.taskId, createdAt: 1, implicit: false }, [ALICE]),
      () => backend.index.unretired('alice', 1),
      () => backend.index.claimKey('alice', 'key', { taskId: task.taskId, fingerprint: 'f' }, 1),
      () => backend.sessionState.get('s', 'n'),
      () => backend.sessionState.set('s', 'n', 1),
      () => backend.sessionState.delete('s', 'n'),
      () => backend.sessionState.clear('s'),
      () => backend.index.retire(['alice'], task.taskId, 1),
      () => backend.index.page('alice', 1),
      () => backend.index.forget('alice', [task.taskId]),
      () => backend.index.keepKey('alice', 'key', task.taskId, 1),
      () => backend.agenda.date(task.taskId, 1),
      () => backend.agenda.take(0, 1, 1),
      () => backend.agenda.settle({ shard: 0, taskIds: [], lease: 0.5, total: 0 }, new Map([[task.taskId, 1]])),
      () => backend.agenda.ensure([task.taskId], 'all'),
      () => backend.agenda.heal(),
      () => backend.queue.add({ taskId: task.taskId, pass: 1 }, 0),
      () => backend.queue.has([{ taskId: task.taskId, pass: 1, mayBeDelayed: true }]),
      () => backend.queue.recover({ taskId: task.taskId, pass: 1 }),
      () => backend.ping(),
    ];
    for (const call of calls) await expect(call(), call.toString()).rejects.toMatchObject(UNAVAILABLE);
    expect(Date.now() - startedAt).toBeLessThan(1000);
    proxy.restore();
    await waitUntil(
      () =>
        backend.ping().then(
          () => true,
          () => false,
        ),
      { timeoutMs: 3000, description: 'Redis answers again' },
    );
    expect(await backend.events.append(task.cancel())).toBe('appended');
  });

  it('makes an append of a gateway fail whose reply was lost, and does not send it again', async () => {
    const proxy = await openProxy();
    const backend = await connect({ url: proxy.url });
    const task = new TaskHistory();
    proxy.swallowReplies();
    const append = backend.events.append(task.create());
    const failed = expect(append).rejects.toMatchObject(UNAVAILABLE);
    await waitUntil(async () => (await test.redis.xlen(keys.events(task.taskId))) === 1, { description: 'the append is written' });
    proxy.cut();
    await failed;
  });

  it('wakes every listener once when it is over, and they hear again', async () => {
    const proxy = await openProxy();
    const [cutOff, other] = [await connect({ url: proxy.url }), await connect()];
    const [missed, quiet] = [new TaskHistory(), new TaskHistory()];
    const woken = { missed: 0, quiet: 0, left: 0 };
    await cutOff.events.subscribe(missed.taskId, () => (woken.missed += 1));
    await cutOff.events.subscribe(quiet.taskId, () => (woken.quiet += 1));
    const leave = await cutOff.events.subscribe(newTaskId(), () => (woken.left += 1));
    proxy.cut();
    await other.events.append(missed.create());
    leave();
    proxy.restore();
    await waitUntil(() => woken.missed > 0 && woken.quiet > 0, { description: 'both listeners are called' });
    expect(woken).toEqual({ missed: 1, quiet: 1, left: 0 });
    await other.events.append(missed.claim());
    await waitUntil(() => woken.missed === 2, { description: 'the next append is heard of' });
  });

  it('is sat out by a worker when it is short, and its append is written once though the reply was lost', async () => {
    const proxy = await openProxy();
    const backend = await connect({ url: proxy.url, role: 'worker' });
    const task = new TaskHistory();
    await backend.events.append(task.create());
    proxy.swallowReplies();
    const append = backend.events.append(task.claim());
    await waitUntil(async () => (await test.redis.xlen(keys.events(task.taskId))) === 2, { description: 'the append is written' });
    proxy.cut();
    proxy.restore();
    expect(await append).toBe('appended');
    expect(await backend.events.read(task.taskId)).toHaveLength(2);
  });

  it('ends for a waiting worker within two seconds of Redis’ return', async () => {
    const proxy = await openProxy();
    const [cutOff, other] = [await connect({ url: proxy.url, role: 'worker' }), await connect()];
    let delivered = 0;
    await cutOff.consume(
      async () => {
        delivered += 1;
        return {};
      },
      { concurrency: 1 },
    );
    proxy.cut();
    await waitUntil(() => cutOff.redis.status === 'reconnecting', { description: 'the outage is noticed' });
    await other.queue.add({ taskId: newTaskId(), pass: 1 }, 0);
    proxy.restore();
    await waitUntil(() => delivered === 1, { timeoutMs: 2000, description: 'the job is delivered' });
  });
});

describe('a job that Redis gave out when the connection broke', () => {
  it('is delivered anew though its lock is held still, and what runs is left alone', async () => {
    const proxy = await openProxy();
    const backend = await connect({ role: 'worker', url: proxy.url });
    const [runs, unheard] = [newTaskId(), newTaskId()];
    const deliveries: JobDelivery[] = [];
    let endFirst = (): void => undefined;
    const consumer = await backend.consume(
      async (delivery) => {
        deliveries.push(delivery);
        if (delivery.job.taskId === runs) await new Promise<void>((resolve) => (endFirst = resolve));
        return {};
      },
      { concurrency: 5 },
    );
    await backend.queue.add({ taskId: runs, pass: 1 }, 0);
    await waitUntil(() => deliveries.length === 1, { description: 'one job runs' });
    proxy.cut();
    // The same as if the reply that gave it out had been lost.
    const jobs = `${keys.queuePrefix()}:tasks`;
    const writer = await connect();
    await writer.queue.add({ taskId: unheard, pass: 1 }, 0);
    await test.redis.lmove(`${jobs}:wait`, `${jobs}:active`, 'RIGHT', 'LEFT');
    await test.redis.set(`${jobs}:${unheard}-1:lock`, `${consumer.lockToken}:99`, 'PX', 30_000);
    proxy.restore();
    await waitUntil(() => deliveries.length === 2, { timeoutMs: 5_000, description: 'the other job is delivered' });
    expect(deliveries[1]).toMatchObject({ job: { taskId: unheard, pass: 1 }, redelivered: true });
    expect(deliveries[0]?.signal.aborted).toBe(false);
    endFirst();
    await waitUntil(() => consumer.active === 0, { description: 'both jobs have ended' });
    expect(deliveries).toHaveLength(2);
  });
});

describe('a session job', () => {
  it('says how many workers have lost it since it was last judged', async () => {
    const backend = await connect({ role: 'worker' });
    const run = { sessionId: 'session', name: 'job', runId: newTaskId() };
    const jobKey = `${keys.queuePrefix()}:tasks:session-${run.runId}`;
    const seen: number[] = [];
    const consumer = await backend.consume(async () => ({}), {
      concurrency: 5,
      sideJobs: {
        session: async (_data, losses) => {
          seen.push(losses);
          // What BullMQ counts when it finds a job without a lock.
          if (seen.length === 1) await test.redis.hset(jobKey, 'stc', 2);
          return seen.length < 3 ? { againAt: Date.now() } : {};
        },
      },
    });
    await backend.queue.addSideJob({ kind: 'session', id: `session-${run.runId}`, data: run });
    await waitUntil(() => seen.length === 3 && consumer.active === 0, { description: 'the job has run three times' });
    expect(seen).toEqual([0, 2, 0]);
  });
});

describe('a lost lock', () => {
  it('aborts the delivery, and the job comes back only when its first run has ended', async () => {
    const backend = await connect({ role: 'worker', lockTimes: SHORT_LOCK_TIMES });
    const deliveries: JobDelivery[] = [];
    let endFirst = (): void => undefined;
    const consumer = await backend.consume(
      async (delivery) => {
        deliveries.push(delivery);
        if (deliveries.length === 1) await new Promise<void>((resolve) => (endFirst = resolve));
        return {};
      },
      { concurrency: 5 },
    );
    const taskId = newTaskId();
    const jobKey = `${keys.queuePrefix()}:tasks:${taskId}-1`;
    await backend.queue.add({ taskId, pass: 1 }, 0);
    await waitUntil(() => deliveries.length === 1, { description: 'the job is delivered' });
    await test.redis.del(`${jobKey}:lock`);
    await waitUntil(() => deliveries[0]?.signal.aborted, { description: 'the delivery is aborted' });
    // The same worker finds the job, but does not start it beside its first run.
    await waitUntil(async () => (await test.redis.hget(jobKey, 'stc')) !== null, { description: 'the job is found to be lost' });
    await waitUntil(async () => Number(await test.redis.hget(jobKey, 'ats')) > 1, { description: 'the worker is offered it again' });
    expect(deliveries).toHaveLength(1);
    endFirst();
    await waitUntil(() => deliveries.length === 2, { description: 'the job is delivered again' });
    expect(deliveries[1]).toMatchObject({ job: { taskId, pass: 1 }, redelivered: true });
    await waitUntil(async () => (await test.redis.exists(jobKey)) === 0, { description: 'the job has ended' });
    expect(consumer.active).toBe(0);
  });
});
