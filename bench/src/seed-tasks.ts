import { connectRedisStore } from '@longhaul/store-redis';
import { createTaskService, type TaskQueue } from '@longhaul/tasks';

/** A queue for tasks that no worker runs. */
export const NO_QUEUE: TaskQueue = {
  add: async () => undefined,
  has: async () => [],
  recover: async () => undefined,
  addGivenBack: async () => undefined,
  withdraw: async () => undefined,
  addSideJob: async () => undefined,
  close: async () => undefined,
};

/** Tasks that are created at the same time. */
const BATCH = 500;

/** Creates tasks of one owner that no worker runs, as quickly as the store accepts them. */
export async function seedTasks(redisUrl: string, owner: string, count: number): Promise<void> {
  const onError = (error: unknown): void => {
    throw error;
  };
  const store = await connectRedisStore({ url: redisUrl, role: 'worker', onError });
  const limits = { concurrentTasks: count + 1, tasksPerMinute: count + 1 };
  const tasks = createTaskService({ ...store, queue: NO_QUEUE }, { onError, limits });
  const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
  const task = { tool: 'noop', arguments: {}, owner, client, ttlMs: 3_600_000, pollIntervalMs: 1_000 };
  for (let created = 0; created < count; created += BATCH)
    await Promise.all(Array.from({ length: Math.min(BATCH, count - created) }, () => tasks.create(task)));
  await store.close();
}
