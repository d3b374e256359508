/** Reads the queue in a test's part of Redis. */
import type { TestRedis } from './redis.js';

/** How many jobs there are: waiting in the list or in line, running, delayed, and permanently failed. */
export async function queuedJobs({ redis, prefix }: TestRedis): Promise<number> {
  const queue = `{${prefix}}:tasks`;
  const lists = await Promise.all(['wait', 'active'].map((state) => redis.llen(`${queue}:${state}`)));
  const inLine = await redis.scard(`{${prefix}}:fair:jobs`);
  const sets = await Promise.all(['delayed', 'prioritized', 'failed'].map((state) => redis.zcard(`${queue}:${state}`)));
  return [...lists, ...sets, inLine].reduce((sum, count) => sum + count, 0);
}
