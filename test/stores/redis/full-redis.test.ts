/** Tests what still works on a Redis that is out of memory, and that everything works when it has memory again. */
import { connectRedisStore, type RedisStore } from '@longhaul/store-redis';
import { NO_VERSION } from '@longhaul/sessions/testing';
import { type JobDelivery, wholeMs } from '@longhaul/tasks';
import { newTaskId, TaskHistory } from '@longhaul/tasks/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChaosRedis } from '../../support/chaos-redis.js';
import type { RedisLocation } from '../../support/redis.js';
import { RedisCluster } from '../../support/redis-cluster.js';
import { waitUntil } from '../../support/wait-until.js';
import { SHORT_LOCK_TIMES } from '../support/stores.js';

/** One or more servers. The test takes away their memory. */
interface Servers {
  readonly location: RedisLocation;
  readonly masters: readonly ChaosRedis[];
  close(): Promise<void>;
}

const kinds: readonly { readonly name: string; start(): Promise<Servers> }[] = [
  {
    name: 'one Redis',
    async start() {
      const redis = await ChaosRedis.start();
      return { location: { url: redis.url, cluster: false }, masters: [redis], close: () => redis.close() };
    },
  },
  { name: 'a Redis Cluster', start: () => RedisCluster.start() },
];

const LIMITS = { concurrentTasks: 1_000, tasksPerMinute: 1_000, historyBytes: 1_000_000 };
const FULL = { code: 'STORE_FULL' };

describe.each(kinds)('$name without memory', ({ start }) => {
  let servers: Servers;
  let store: RedisStore;
  const errors: unknown[] = [];

  beforeAll(async () => {
    servers = await start();
    const { url, cluster } = servers.location;
    const onError = (error: unknown): void => void errors.push(error);
    store = await connectRedisStore({ url, cluster, role: 'worker', lockTimes: SHORT_LOCK_TIMES, onError });
  });
  afterAll(async () => {
    await store.close();
    await servers.close();
  });

  const limitTo = async (maxmemory: string): Promise<void> => {
    await Promise.all(servers.masters.map(({ client }) => client.config('SET', 'maxmemory', maxmemory)));
  };
  /** Runs something while the servers refuse every plain write. */
  const whileFull = async <T>(work: () => Promise<T>): Promise<T> => {
    await limitTo('1mb');
    try {
      for (const { client } of servers.masters)
        await expect(client.eval("redis.call('SET', KEYS[1], 1)", 1, 'x')).rejects.toThrow(/OOM|MOVED/);
      return await work();
    } finally {
      await limitTo('0');
    }
  };
  const written = async (task: TaskHistory, ...steps: (() => ReturnType<TaskHistory['create']>)[]): Promise<void> => {
    for (const step of [() => task.create(), () => task.claim(), ...steps]) expect(await store.events.append(step())).toBe('appended');
  };

  it('takes the end of a task, a cancellation, an answer, and the rest of a pass', async () => {
    const [ending, cancelled, answered, released] = [new TaskHistory(), new TaskHistory(), new TaskHistory(), new TaskHistory()];
    const asking = { type: 'RequestInput', at: 1, epoch: 1, key: '$elicit', method: 'elicitation/create', params: {} } as const;
    const suspending = { type: 'SuspendPass', at: 1, epoch: 1, waitingFor: ['$elicit'] } as const;
    for (const task of [ending, cancelled, released]) await written(task);
    await written(answered, () => answered.append([asking, suspending], 1));
    const answer = { type: 'ProvideInput', at: 1, key: '$elicit', answer: { response: { action: 'decline' } }, via: 'test' } as const;
    const claiming = { type: 'ClaimPass', at: 1, pass: 2, workerId: 'w' } as const;
    await whileFull(async () => {
      expect(await store.events.append(ending.complete('x'.repeat(2 ** 20)))).toBe('appended');
      expect(await store.events.append(cancelled.cancel())).toBe('appended');
      expect(await store.events.append(answered.append([answer]))).toBe('appended');
      expect(await store.events.append(answered.append([claiming]))).toBe('appended');
      expect(await store.events.append(released.append([{ ...suspending, waitingFor: [] }], 1))).toBe('appended');
      await store.agenda.date(answered.taskId, wholeMs(0));
      await store.index.retire(['alice'], ending.taskId, wholeMs(60_000));
      expect(await store.events.advanceMark(answered.taskId, 'progress', 3)).toBe(0);
    });
    expect(await store.events.readOutcome(ending.taskId)).toMatchObject({ outcome: { kind: 'result' } });
    const taken = await Promise.all(
      Array.from({ length: store.agenda.shards }, (_, shard) => store.agenda.take(shard, 10, wholeMs(1_000))),
    );
    expect(taken.flatMap(({ taskIds }) => taskIds)).toEqual([answered.taskId]);
  });

  it('refuses new tasks, values of steps and of sessions, and keys, until it has memory again', async () => {
    const [fresh, running] = [new TaskHistory(), new TaskHistory()];
    await written(running);
    const creation = fresh.create();
    const step = running.step('a', 'value');
    const registration = { taskId: fresh.taskId, createdAt: 1 };
    const begin = (): Promise<unknown>[] => [
      store.events.append(creation),
      store.events.append(step),
      store.index.register(registration, [{ owner: 'bob', limits: LIMITS }]),
      store.index.claimKey('bob', 'key', { taskId: fresh.taskId, fingerprint: 'f' }, wholeMs(60_000)),
      store.sessionState.set('session', 'name', 'value'),
      store.sessionState.add('session', 'other', 'value'),
      store.ownerRecords.apply(
        { owner: { id: 'carol' }, name: 'c' },
        { since: NO_VERSION, changes: [{ id: 'a', json: '1' }], maxBytes: 1_000 },
      ),
    ];
    await whileFull(async () => {
      for (const result of await Promise.allSettled(begin())) expect(result).toMatchObject({ status: 'rejected', reason: FULL });
    });
    await waitUntil(
      () =>
        store.ping().then(
          () => true,
          () => undefined,
        ),
      { description: 'there is room' },
    );
    for (const result of await Promise.allSettled(begin())) expect(result).toMatchObject({ status: 'fulfilled' });
    expect(await store.events.read(running.taskId)).toHaveLength(3);
  });

  it('says so, and says when it is over', async () => {
    await whileFull(() =>
      waitUntil(
        () =>
          store.ping().then(
            () => undefined,
            (error: unknown) => error,
          ),
        { description: 'the store is full' },
      ).then((error) => expect(error).toMatchObject(FULL)),
    );
    await waitUntil(
      () =>
        store.ping().then(
          () => true,
          () => undefined,
        ),
      { description: 'there is room' },
    );
    expect(errors.filter((error) => (error as { code?: string }).code === 'STORE_FULL')).toHaveLength(1);
  });

  it('keeps the locks of jobs that run, ends them, and delivers others', async () => {
    const deliveries: JobDelivery[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const consumer = await store.consume(
      async (delivery) => {
        deliveries.push(delivery);
        if (deliveries.length === 1) await released;
        return {};
      },
      { concurrency: 2 },
    );
    const [long, next] = [newTaskId(), newTaskId()];
    await store.queue.add({ taskId: long, pass: 1 }, wholeMs(0));
    await waitUntil(() => deliveries.length === 1, { description: 'the first job is delivered' });
    const lock = `{lh}:tasks:${long}-1:lock`;
    await whileFull(async () => {
      await store.queue.add({ taskId: next, pass: 1 }, wholeMs(0));
      await store.queue.add({ taskId: next, pass: 2 }, wholeMs(Date.now() + 2 * SHORT_LOCK_TIMES.lockDurationMs));
      await waitUntil(() => deliveries.length === 3, { description: 'a job that was due later is delivered' });
      expect(await store.redis.exists(lock)).toBe(1);
      release();
      await waitUntil(() => consumer.active === 0, { description: 'all have ended' });
      await waitUntil(async () => (await store.redis.exists(lock)) === 0, { description: 'the job is gone' });
    });
    expect(deliveries.map(({ job, redelivered, signal }) => [job.taskId, redelivered, signal.aborted])).toEqual([
      [long, false, false],
      [next, false, false],
      [next, false, false],
    ]);
  });
});
