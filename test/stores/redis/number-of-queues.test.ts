/** What becomes of jobs when the number of queues changes, and while processes have different numbers of them. */
import type { RedisBackend, RedisBackendOptions } from '@longhaul/store-redis';
import { type JobDelivery, wholeMs } from '@longhaul/tasks';
import { newTaskId } from '@longhaul/tasks/testing';
import { queueNumbers } from '@longhaul/store-redis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { add, laneOfEach, type LaneOfEach, QUEUES } from '../support/queue-lanes.js';
import { RedisBackends } from '../support/redis-backends.js';
import { waitUntil } from '../../support/wait-until.js';

const HOUR_MS = 3_600_000;

const redis = new RedisBackends();
/** In which nobody has had several queues. */
const fresh = new RedisBackends();
/** The same. */
const late = new RedisBackends();
/** The same. */
const unsaid = new RedisBackends();
let lanes: LaneOfEach;
let numbers: readonly number[];

beforeAll(() => {
  numbers = queueNumbers(redis.test.prefix, QUEUES);
  lanes = laneOfEach(numbers);
});

const connect = (options: Partial<RedisBackendOptions> = {}): Promise<RedisBackend> =>
  redis.connect({ queues: QUEUES, role: 'worker', ...options });

describe('another number of queues', () => {
  const deliveries = async (backend: RedisBackend): Promise<JobDelivery['job'][]> => {
    const seen: JobDelivery['job'][] = [];
    await backend.consume(
      async ({ job }) => {
        seen.push(job);
        return {};
      },
      { concurrency: 5, sideJobs: { tidy: async () => (seen.push({ taskId: newTaskId(), pass: 0 }), {}) } },
    );
    return seen;
  };

  it('leaves no job behind, and all are counted', async () => {
    const before = await connect();
    for (const lane of lanes) {
      await add(before, lane, 5);
      await before.queue.add({ taskId: newTaskId(), pass: 2, lane }, wholeMs(Date.now() + 300));
      await before.queue.addSideJob({ kind: 'tidy', id: newTaskId(), lane, data: {} });
    }
    await before.close();
    const after = await connect({ queues: 1 });
    expect(await after.load.queue()).toMatchObject({ waiting: 18, delayed: 3, running: 0 });
    const seen = await deliveries(after);
    await waitUntil(() => seen.length === 21, { description: 'all are delivered' });
    const later = seen.filter(({ pass }) => pass === 2);
    expect(new Set(later.map(({ lane }) => lane))).toEqual(new Set(lanes));
  });

  it('is served by workers that run already, once a gateway has begun with it', async () => {
    const seen = await deliveries(await fresh.connect({ role: 'worker', queues: 1 }));
    const gateway = await fresh.connect({ queues: QUEUES });
    for (let index = 0; index < 20; index++) await add(gateway, `lane ${index}`, 1);
    await waitUntil(() => seen.length === 20, { description: 'all are delivered' });
  });

  it('is served by a worker that could not connect for it at first', async () => {
    const proxy = await late.openProxy();
    const errors: unknown[] = [];
    const worker = await late.connect({ role: 'worker', queues: 1, url: proxy.url, onError: (error) => errors.push(error) });
    const seen = await deliveries(worker);
    // Its connections stay; new ones fail.
    proxy.redirect('redis://127.0.0.1:1');
    const gateway = await late.connect({ queues: QUEUES });
    await waitUntil(() => errors.length > 0, { description: 'it has tried to connect' });
    for (let index = 0; index < 20; index++) await add(gateway, `lane ${index}`, 1);
    proxy.redirect(late.test.url);
    await waitUntil(() => seen.length === 20, { description: 'all are delivered' });
  });

  it('hides no job from the look for it', async () => {
    const three = await connect();
    const one = await redis.connect({ queues: 1 });
    const job = { taskId: newTaskId(), pass: 1, lane: lanes[1], mayBeDelayed: true };
    const other = { ...job, taskId: newTaskId() };
    await one.queue.add(job, wholeMs(Date.now() + HOUR_MS));
    expect(await three.queue.has([job, other])).toEqual([true, false]);
    await three.queue.add(other, wholeMs(Date.now() + HOUR_MS));
    // It has known of the other queues since its start.
    expect(await one.queue.has([job, other])).toEqual([true, true]);
    await redis.test.redis.del(...numbers.map((queue) => `${redis.keys.queuePrefix(queue)}:tasks:delayed`));
  });

  it('is served also if the first process to note it died before it said so', async () => {
    const seen = await deliveries(await unsaid.connect({ role: 'worker', queues: 1 }));
    const { redis: client, prefix } = unsaid.test;
    await client.zadd(unsaid.keys.queues(), ...queueNumbers(prefix, QUEUES).flatMap((queue) => [Date.now(), queue]));
    const gateway = await unsaid.connect({ queues: QUEUES });
    for (let index = 0; index < 20; index++) await add(gateway, `lane ${index}`, 1);
    await waitUntil(() => seen.length === 20, { description: 'all are delivered' });
  });

  it('is found though an older one cannot be looked at', async () => {
    const { redis: client, prefix } = fresh.test;
    const broken = `{${prefix}:1001}:tasks:wait`;
    await client.set(broken, 'no list');
    await client.zadd(fresh.keys.queues(), Date.now() - HOUR_MS, '1001', Date.now(), '1002');
    const errors: unknown[] = [];
    const backend = await fresh.connect({ queues: 1, onError: (error) => errors.push(error) });
    expect(String(errors[0])).toContain('WRONGTYPE');
    const job = { taskId: newTaskId(), pass: 1, mayBeDelayed: false };
    for (const queue of [1001, 1002]) {
      const key = `{${prefix}:${queue}}:tasks:${job.taskId}-1`;
      await client.set(key, '');
      expect(await backend.queue.has([job]), key).toEqual([true]);
      await client.del(key);
    }
    await client.del(broken);
    await client.zrem(fresh.keys.queues(), '1001', '1002');
  });

  it('is forgotten when nobody has used it for some minutes and it is empty', async () => {
    const { redis: client, prefix } = redis.test;
    const key = redis.keys.queues();
    await client.zadd(key, Date.now() - HOUR_MS, '1000', Date.now() - HOUR_MS, '1001');
    const waiting = `{${prefix}:1001}:tasks:wait`;
    await client.lpush(waiting, newTaskId());
    await redis.connect({ queues: 1 });
    expect(await client.zmscore(key, '1000', '1001')).toEqual([null, expect.stringMatching(/^\d+$/)]);
    await client.del(waiting);
    await redis.connect({ queues: 1 });
    expect(await client.zscore(key, '1001')).toBeNull();
  });
});
