/** Reads the queue in a test's part of Redis. */
import type { TestRedis } from './redis.js';

/** BullMQ orders delayed jobs by this many scores in a millisecond. */
const SCORES_IN_A_MS = 0x1000;

/** How many jobs there are: waiting in the list or in line, running, delayed, and permanently failed. */
export async function queuedJobs({ redis, prefix }: TestRedis, withinMs = Number.POSITIVE_INFINITY): Promise<number> {
  const queue = `{${prefix}}:tasks`;
  const lists = await Promise.all(['wait', 'active'].map((state) => redis.llen(`${queue}:${state}`)));
  const inLine = await redis.scard(`{${prefix}}:fair:jobs`);
  const sets = await Promise.all(['prioritized', 'failed'].map((state) => redis.zcard(`${queue}:${state}`)));
  const until = Number.isFinite(withinMs) ? (Date.now() + withinMs) * SCORES_IN_A_MS : '+inf';
  const delayed = await redis.zcount(`${queue}:delayed`, '-inf', until);
  return [...lists, ...sets, inLine, delayed].reduce((sum, count) => sum + count, 0);
}
