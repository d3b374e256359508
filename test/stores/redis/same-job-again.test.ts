/** A job that a worker gets again while it is still ending its first run of it. */
import { wholeMs } from '@longhaul/tasks';
import { jobsConnection } from '@longhaul/redis/testing';
import { connectRedisBackend } from '@longhaul/store-redis';
import { newTaskId } from '@longhaul/tasks/testing';
import { QueueWorker, SharedSlots } from '@longhaul/store-redis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { RedisBackends } from '../support/redis-backends.js';
import { waitUntil } from '../../support/wait-until.js';

const LOCK_MS = 1_200;

const backends = new RedisBackends();

it('keeps its lock in the second run', async () => {
  const { url, prefix, redis } = backends.test;
  const { queue, close } = await connectRedisBackend({ url, prefix, role: 'gateway', onError: () => undefined });
  const connection = jobsConnection(url);
  const queuePrefix = backends.keys.queuePrefix();
  const errors: unknown[] = [];
  const second = Promise.withResolvers<void>();
  const isSeen = Promise.withResolvers<void>();
  let runs = 0;
  let tokens = 0;
  const worker = new QueueWorker({
    async process(job, token) {
      runs += 1;
      if (runs === 1) {
        // Long enough for locks to be renewed meanwhile.
        await worker.putBack(job, token, Date.now() + LOCK_MS / 2).catch(async (put: unknown) => {
          await second.promise;
          throw put;
        });
      }
      second.resolve();
      await isSeen.promise;
    },
    options: {
      connection,
      prefix: queuePrefix,
      lockDuration: LOCK_MS,
      lockRenewTime: LOCK_MS / 6,
      skipStalledCheck: true,
    },
    slots: new SharedSlots(2).join(),
    nextToken: () => `worker:${tokens++}`,
    putMarkerBack: () => Promise.resolve(),
    onError: (error) => errors.push(error),
  });
  worker.on('error', (error) => errors.push(error));
  onTestFinished(async () => {
    isSeen.resolve();
    await worker.close();
    connection.disconnect();
    await close();
  });
  await worker.waitUntilReady();
  void worker.run();
  const taskId = newTaskId();
  await queue.add({ taskId, pass: 1 }, wholeMs(0));
  await second.promise;

  const lock = `${queuePrefix}:tasks:${taskId}-1:lock`;
  // Each a sixth of its time after the one before, so that it would be over.
  let renewals = 0;
  worker.on('locksRenewed', () => (renewals += 1));
  await waitUntil(() => renewals > 9, { description: 'its lock is renewed' });
  expect(await redis.exists(lock)).toBe(1);
  expect(errors).toEqual([]);
});
