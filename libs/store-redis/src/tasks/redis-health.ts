/** Looks at what a Redis keeps on disk, and at its clock. */
import type { RedisClient } from '@longhaul/redis';
import type { StoreHealth } from '@longhaul/tasks';
import type { Redis } from 'ioredis';
import { whileReachable } from './store-fault.js';

const NOT_KEPT =
  'Redis keeps nothing on disk (appendonly no, save ""): all tasks are lost when it restarts. Run redis-cli CONFIG SET appendonly yes, and set it in redis.conf.';

/** `health` of a store on Redis; on a cluster, of all its masters. */
export function redisHealth(redis: RedisClient): Promise<StoreHealth> {
  const masters = 'nodes' in redis ? redis.nodes('master') : [redis];
  return whileReachable(async () => {
    const kept = await Promise.all(masters.map((master) => isKept(master)));
    const [seconds, microseconds] = await redis.time();
    const now = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
    return { now, ...(kept.includes(false) && { losesAll: NOT_KEPT }) };
  });
}

async function isKept(redis: Redis): Promise<boolean> {
  const persistence = await redis.info('persistence');
  // While it loads what it has kept, it does not say yet that it will keep more.
  if (/^(aof_enabled:1|loading:1)/m.test(persistence)) return true;
  try {
    const [, save] = (await redis.call('CONFIG', 'GET', 'save')) as string[];
    return save !== '';
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ReplyError') throw error;
    // A user or a managed service that may not read settings: then it counts whether Redis has ever made a snapshot by itself.
    return !/^rdb_saves:0/m.test(persistence);
  }
}
