/** Counts the commands that a task takes in Redis, and those within its scripts. docs/internals/benchmarks.md says which they are. */
import { createOwnerContexts } from '@longhaul/sessions';
import type { RedisStore } from '@longhaul/store-redis';
import { createTaskService, type TaskId, TaskRunner } from '@longhaul/tasks';
import { taskData } from '@longhaul/tasks/testing';
import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { RedisStores } from '../support/redis-stores.js';

const redis = new RedisStores();

/** Notes the commands that the store sends, but those of BullMQ's worker and those that are sent for many tasks together. */
function commandsOf({ redis: client }: RedisStore): string[] {
  const sent: string[] = [];
  const { sendCommand } = client as Redis;
  (client as Redis).sendCommand = (...args) => {
    const [{ name }] = args;
    if (name !== 'zrem' && name !== 'info') sent.push(name);
    return sendCommand.apply(client, args);
  };
  return sent;
}

it('takes a script to create it, one to enqueue it, one read of its stream, one script to end it, and one read of its view', async () => {
  const [gateway, worker] = [await redis.connect(), await redis.connect({ role: 'worker' })];
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  let created = 0;
  // All on one channel.
  const newTaskId = (): TaskId => `00000000-0000-4000-8000-${String((created += 1)).padStart(12, '0')}` as TaskId;
  const service = createTaskService(gateway, { newTaskId, onError });
  const runner = new TaskRunner({
    store: worker,
    sessionValues: worker.sessionState,
    owners: createOwnerContexts(worker, onError),
    workflows: (name) => ({ name, run: async () => ({ content: [] }), resultOfFailure: () => ({}) }),
    workerId: 'worker',
    version: 'one',
    repairs: false,
    onError,
  });
  let isWaited = Promise.withResolvers<void>();
  await worker.consume(
    async (delivery) => {
      await isWaited.promise;
      return runner.handle(delivery);
    },
    { concurrency: 1 },
  );
  const run = async (): Promise<void> => {
    isWaited = Promise.withResolvers();
    const { taskId, owner } = await service.create(taskData());
    const from = await service.getOfCall(taskId, { owner });
    for await (const { outcome } of service.follow(from, AbortSignal.timeout(10_000))) {
      isWaited.resolve();
      if (outcome !== undefined) expect(outcome.kind).toBe('result');
    }
  };
  // The first one loads the scripts and subscribes to the channel.
  await run();
  const [ofGateway, ofWorker] = [commandsOf(gateway), commandsOf(worker)];
  for (let task = 0; task < 3; task++) await run();
  expect({ ofGateway, ofWorker, errors }).toEqual({
    ofGateway: Array.from({ length: 3 }, () => ['evalsha', 'evalsha', 'hmget']).flat(),
    ofWorker: Array.from({ length: 3 }, () => ['xrange', 'evalsha']).flat(),
    errors: [],
  });
});
